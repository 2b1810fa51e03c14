import type { Position } from "../engine/journal-page.js";

const pattern = /^j([0-9a-z]{1,11})\.([0-9a-z]{1,11})$/;

/** Converts a position to an opaque text for clients. */
export function cursorOf({ seq, epoch }: Position): string {
  return `j${seq.toString(36)}.${epoch.toString(36)}`;
}

/** Reads a cursor that {@link cursorOf} created. Returns `undefined` for any other value. */
export function positionOf(cursor: unknown): Position | undefined {
  if (typeof cursor !== "string") return undefined;
  const [, seq = "", epoch = ""] = pattern.exec(cursor) ?? [];
  const position = { seq: Number.parseInt(seq, 36), epoch: Number.parseInt(epoch, 36) };
  const isSafe = Number.isSafeInteger(position.seq) && Number.isSafeInteger(position.epoch);
  return isSafe && cursorOf(position) === cursor ? position : undefined;
}
