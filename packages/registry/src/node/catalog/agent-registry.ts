import type { RegistryAgent } from "./registry-document.js";
import type { SourceReport } from "./source-report.js";
import { unknownAgent } from "./unknown-agent.js";

/** An agent of a registry, with its source. */
export interface RegistryEntry {
  readonly agent: RegistryAgent;
  /** The name of the source that describes the agent. */
  readonly source: string;
}

/** @internal A source with its agents. */
export interface LoadedSource extends SourceReport {
  readonly agents: readonly RegistryAgent[];
}

/** The merged agents of one or more registries. `openRegistry` creates it. */
export class AgentRegistry {
  /** The agents, sorted by id. */
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

  /** Returns the agents whose id, name, description or author contains the text. Upper and lower case are equal. */
  search(text: string): readonly RegistryEntry[] {
    const wanted = text.toLowerCase();
    return this.entries.filter(({ agent: { id, name, description, authors = [] } }) =>
      [id, name, description, ...authors].some((each) => each.toLowerCase().includes(wanted)),
    );
  }

  /**
   * Returns the agent with this id.
   *
   * @param settingsFile - the user's settings file. If it is passed, the message of the error says how to add an agent
   * to the file.
   * @throws {RegistryError} `unknown_agent`, with the three most similar ids.
   */
  getOrThrow(id: string, settingsFile?: string): RegistryEntry {
    const entry = this.get(id);
    if (entry !== undefined) return entry;
    const what = `No registry has an agent "${id}".`;
    throw unknownAgent({ what, name: id, names: [...this.#byId.keys()], sources: this.sources, settingsFile });
  }
}
