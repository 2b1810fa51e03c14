import type { AgentRegistry, SourceReport } from "@acp-kit/registry";
import { cleanLine } from "../chat/text/clean.js";
import type { Log } from "../log.js";

const maxShown = 3;

/** Logs the registries that are unavailable or out of date, and the parts of registries that could not be decoded. */
export function logRegistryNotes({ sources }: Pick<AgentRegistry, "sources">, log: Log): void {
  for (const { name, state, checkedAt, snapshot, problems } of sources) {
    const [first] = problems.filter(({ path }) => path === "");
    if (state === "unavailable") log.warn(`${name} can't be used: ${cleanLine(first?.message ?? "")}`);
    else if (state === "stale")
      log.warn(`${name} can't be read now; using the cached copy of ${dayOf(checkedAt ?? 0)}`);
    else if (snapshot !== undefined) log.warn(`${snapshotText(snapshot)} It is used instead of ${name}.`);
    const parts = problems.filter(({ path }) => path !== "");
    if (parts.length === 0) continue;
    const shown = parts.slice(0, maxShown).map(({ path, message }) => cleanLine(`${path}: ${message}`));
    const more = parts.length > maxShown ? `; and ${parts.length - maxShown} more` : "";
    log.info(`${name} has parts that can't be used: ${shown.join("; ")}${more}`);
  }
}

/** Formats the day and the origin of the copy of the public registry that acp-kit contains. */
export function snapshotText({ takenOn, source }: NonNullable<SourceReport["snapshot"]>): string {
  return `This is the snapshot of ${takenOn} that is part of acp-kit. ${cleanLine(source)}`;
}

/** Formats the day of a time as `YYYY-MM-DD`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
