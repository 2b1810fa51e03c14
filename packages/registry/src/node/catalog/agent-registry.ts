import { RegistryError } from "../errors.js";
import { nearest } from "./nearest.js";
import type { RegistryAgent, RegistryProblem } from "./registry-document.js";

/** An agent of a registry, with its source. */
export interface RegistryEntry {
  readonly agent: RegistryAgent;
  /** The name of the source that describes it. */
  readonly source: string;
}

/** How a source was read. */
export interface SourceReport {
  readonly name: string;
  /**
   * - `current`: from the server, or confirmed by it within `maxAgeMs`; `offline`, however old.
   * - `stale`: the server could not be used; this is what it sent last.
   * - `snapshot`: the server has never been reached; this is the snapshot of the package.
   * - `local`: a file, or a document of the application.
   * - `unavailable`: the source could not be used.
   */
  readonly state: "current" | "stale" | "snapshot" | "local" | "unavailable";
  /** When the text was last known to be current, in milliseconds since 1970. */
  readonly checkedAt: number | undefined;
  readonly problems: readonly RegistryProblem[];
}

/** @internal A source that was read. */
export interface LoadedSource extends SourceReport {
  readonly agents: readonly RegistryAgent[];
}

/** Registries that were read and merged. `openRegistry` creates it. */
export class AgentRegistry {
  /** Sorted by id. */
  readonly entries: readonly RegistryEntry[];
  readonly sources: readonly SourceReport[];
  readonly #byId = new Map<string, RegistryEntry>();

  /** @internal Use `openRegistry`. */
  constructor(sources: readonly LoadedSource[]) {
    for (const { name, agents } of sources) {
      for (const agent of agents) {
        if (!this.#byId.has(agent.id)) this.#byId.set(agent.id, { agent, source: name });
      }
    }
    this.entries = [...this.#byId.values()].sort((one, other) => (one.agent.id < other.agent.id ? -1 : 1));
    this.sources = sources.map(({ agents: _, ...report }) => report);
  }

  /** Returns the agent with this id. */
  get(id: string): RegistryEntry | undefined {
    return this.#byId.get(id);
  }

  /** Returns the agents whose id, name, description or author contains the text, in any case. */
  search(text: string): readonly RegistryEntry[] {
    const wanted = text.toLowerCase();
    return this.entries.filter(({ agent: { id, name, description, authors = [] } }) =>
      [id, name, description, ...authors].some((each) => each.toLowerCase().includes(wanted)),
    );
  }

  /**
   * Returns the agent with this id.
   *
   * @throws {RegistryError} `unknown_agent`, with the three nearest ids.
   */
  getOrThrow(id: string): RegistryEntry {
    const entry = this.get(id);
    if (entry !== undefined) return entry;
    const near = nearest(id, [...this.#byId.keys()]);
    const hint = near.length === 0 ? "" : ` The nearest names are ${near.join(", ")}.`;
    throw new RegistryError("unknown_agent", `No registry has an agent "${id}".${hint}`);
  }
}
