import type { AgentRegistry } from "@acp-kit/registry";
import { cleanLine } from "../chat/text/clean.js";
import type { Log } from "../log.js";

/** How many problems of a source are shown. */
const maxShown = 3;

/** Logs which sources could not be used as they are, and what of them was not understood. */
export function logRegistryNotes({ sources }: AgentRegistry, log: Log): void {
  for (const { name, state, checkedAt, problems } of sources) {
    const [first] = problems.filter(({ path }) => path === "");
    const day = checkedAt === undefined ? "" : ` of ${dayOf(checkedAt)}`;
    if (state === "unavailable") log.warn(`${name} can't be used: ${cleanLine(first?.message ?? "")}`);
    else if (state === "stale") log.warn(`${name} can't be reached; what it had on ${dayOf(checkedAt ?? 0)} is used`);
    else if (state === "snapshot") log.warn(`the snapshot${day} that comes with acp-kit is used instead of ${name}`);
    const parts = problems.filter(({ path }) => path !== "");
    if (parts.length === 0) continue;
    const shown = parts.slice(0, maxShown).map(({ path, message }) => cleanLine(`${path}: ${message}`));
    const more = parts.length > maxShown ? `; and ${parts.length - maxShown} more` : "";
    log.info(`${name}: not all of it is understood: ${shown.join("; ")}${more}`);
  }
}

/** A day as `YYYY-MM-DD`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
