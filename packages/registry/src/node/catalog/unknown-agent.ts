import { RegistryError } from "../errors.js";
import { nearest } from "./nearest.js";
import type { SourceReport } from "./source-report.js";

/** The parts of the message about an unknown name. */
export interface UnknownAgent {
  /** The first sentence of the message. */
  readonly what: string;
  readonly name: string;
  /** The known names. */
  readonly names: readonly string[];
  readonly sources: readonly SourceReport[];
  /** The user's settings file; `undefined` or empty if the user has none. */
  readonly settingsFile: string | undefined;
}

/** Returns the error for an unknown name: similar names, unreadable registries, and how to add an agent. */
export function unknownAgent({ what, name, names, sources, settingsFile }: UnknownAgent): RegistryError {
  const near = nearest(name, names);
  const hint = near.length === 0 ? "" : ` The nearest names are ${near.join(", ")}.`;
  const missing = sources.filter(({ state }) => state === "unavailable").map((source) => source.name);
  const unread = missing.length === 0 ? "" : ` These registries could not be read: ${missing.join(", ")}.`;
  const where = settingsFile
    ? ` To add an agent of your own, put it into ${settingsFile}: { "agents": { ${JSON.stringify(name)}: { "command": "…", "args": [] } } }`
    : "";
  return new RegistryError("unknown_agent", `${what}${hint}${unread}${where}`);
}
