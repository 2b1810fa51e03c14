import type { Position } from "../engine/journal-page.js";

const pattern = /^j([0-9a-z]{1,11})\.([0-9a-z]{1,11})$/;

/** A position as an opaque text for clients. */
export function cursorOf({ seq, epoch }: Position): string {
  return `j${seq.toString(36)}.${epoch.toString(36)}`;
}

/** The position of a cursor; `undefined` for anything that {@link cursorOf} never returned. */
export function positionOf(cursor: unknown): Position | undefined {
  if (typeof cursor !== "string") return undefined;
  const [, seq = "", epoch = ""] = pattern.exec(cursor) ?? [];
  const position = { seq: Number.parseInt(seq, 36), epoch: Number.parseInt(epoch, 36) };
  const isSafe = Number.isSafeInteger(position.seq) && Number.isSafeInteger(position.epoch);
  return isSafe && cursorOf(position) === cursor ? position : undefined;
}
