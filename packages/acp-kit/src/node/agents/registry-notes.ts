import type { AgentRegistry } from "@acp-kit/registry";
import { cleanLine } from "../chat/text/clean.js";
import type { Log } from "../log.js";

/** Logs which sources could not be used as they are, and what of them was not understood. */
export function logRegistryNotes({ sources }: AgentRegistry, log: Log): void {
  for (const { name, state, checkedAt, problems } of sources) {
    const [first] = problems.filter(({ path }) => path === "");
    const day = checkedAt === undefined ? "" : ` of ${dayOf(checkedAt)}`;
    if (state === "unavailable") log.warn(`${name} can't be used: ${cleanLine(first?.message ?? "")}`);
    else if (state === "stale") log.warn(`${name} can't be reached; what it had on ${dayOf(checkedAt ?? 0)} is used`);
    else if (state === "snapshot")
      log.warn(`${name} can't be reached; the snapshot${day} that comes with acp-kit is used`);
    const parts = problems.filter(({ path }) => path !== "");
    if (parts.length > 0) {
      log.info(
        `${name}: ${parts.length === 1 ? "one part is" : `${parts.length} parts are`} not used: ${parts
          .map(({ path, message }) => `${path}: ${message}`)
          .slice(0, 3)
          .map(cleanLine)
          .join("; ")}`,
      );
    }
  }
}

/** A day as `YYYY-MM-DD`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
