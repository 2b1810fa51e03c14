import type { Transport } from "@acp-kit/jsonrpc";
import { convertedWire } from "./converted-wire.js";
import { Random } from "./random.js";
import type { Version } from "./shown-state.js";
import { V2AgentWire } from "./v2-agent-wire.js";
import { SeenTurns, V2ClientWire } from "./v2-client-wire.js";
import type { SimProcess } from "./world.js";

/**
 * How long after its response the updates of an inserted prompt arrive at most, if there are no faults, in
 * milliseconds.
 */
const INSERTED_MS = 1_000;

/** The versions of the protocol that the agents and clients of one simulation speak. The seed determines them. */
export class Versions {
  readonly #random: Random;
  readonly #problem: (message: string) => void;
  /** `undefined`: each agent process chooses. */
  readonly #ofAgents: Version | undefined;
  readonly #clients = new Map<string, SeenTurns | undefined>();
  #ids = 0;

  constructor(seed: number, problem: (message: string) => void) {
    this.#random = new Random(seed ^ 0x2e55_1012);
    this.#problem = problem;
    this.#ofAgents = this.#random.pick([1, 2, 2, undefined] as const);
  }

  /** Whether all agents speak one version. If not, the version of a session's agent may change at any time. */
  get isOneOfAgents(): boolean {
    return this.#ofAgents !== undefined;
  }

  /** Returns the end of an agent's connection to a gateway, in the version of the agent. */
  ofAgent(transport: Transport): Transport {
    const version = this.#ofAgents ?? (this.#random.chance(0.5) ? 2 : 1);
    if (version === 1) return transport;
    const newId = (): string => `message-${++this.#ids}`;
    return convertedWire(transport, (ends) => new V2AgentWire(ends, this.#random, newId));
  }

  /** The version of a client. */
  ofClientNamed(name: string): Version {
    if (!this.#clients.has(name)) this.#clients.set(name, this.#random.chance(0.6) ? new SeenTurns() : undefined);
    return this.#clients.get(name) === undefined ? 1 : 2;
  }

  /** Returns the end of a client's connection to a gateway, in the version of the client. */
  ofClient(transport: Transport, process: SimProcess): Transport {
    if (this.ofClientNamed(process.name) === 1) return transport;
    const seen = this.#clients.get(process.name) ?? new SeenTurns();
    const later = (run: () => void): void => void process.after(INSERTED_MS, run);
    return convertedWire(transport, (ends) => new V2ClientWire(ends, seen, { problem: this.#problem, later }));
  }
}
