import { type LinkedTransport, linkedTransports } from "@acp-kit/jsonrpc";
import type { AgentRequest } from "../src/agent/agent-pool.js";
import { type Engine, type Gateway, type GatewayEvent, type GatewayPrincipal, memoryEngine } from "../src/index.js";
import { type AllGatewayOptions, createGatewayWith } from "../src/internal.js";
import { ManualClock } from "./manual-clock.js";
import { RawAgent, type RawAgentOptions } from "./raw-agent.js";
import { RawClient } from "./raw-client.js";

export const ann: GatewayPrincipal = { tenant: "acme", user: "ann" };
export const bob: GatewayPrincipal = { tenant: "acme", user: "bob" };

/** An agent process that a gateway started. */
export interface StartedAgent {
  readonly agent: RawAgent;
  readonly request: AgentRequest;
  /** Lets the agent's processes end only when `until` resolves. */
  linger(until: Promise<void>): void;
  /** Ends the agent like a crash. */
  kill(): void;
}

export type RigOptions = Partial<Omit<AllGatewayOptions, "start">> & { readonly agent?: RawAgentOptions };

/** A gateway with a clock, agents and clients that a test controls. */
export class Rig {
  readonly gateway: Gateway;
  readonly engine: Engine;
  readonly clock: ManualClock;
  /** Every agent that was started, oldest first. */
  readonly agents: StartedAgent[];
  readonly events: GatewayEvent[];

  private constructor(parts: Pick<Rig, "gateway" | "engine" | "clock" | "agents" | "events">) {
    this.gateway = parts.gateway;
    this.engine = parts.engine;
    this.clock = parts.clock;
    this.agents = parts.agents;
    this.events = parts.events;
  }

  static async start({ agent = {}, ...options }: RigOptions = {}): Promise<Rig> {
    const clock = (options.clock as ManualClock | undefined) ?? new ManualClock();
    const engine = options.engine ?? memoryEngine({ now: () => clock.now() });
    const agents: StartedAgent[] = [];
    const events: GatewayEvent[] = [];
    const gateway = await createGatewayWith({
      ...options,
      engine,
      clock,
      onEvent: (event) => void events.push(event),
      start: (request) => {
        const [ours, theirs] = linkedTransports();
        const close = ours.close.bind(ours);
        agents.push({
          agent: new RawAgent(theirs, agent),
          request,
          linger(until) {
            ours.close = () => until.then(close);
          },
          kill: () => ours.break(new Error("killed")),
        });
        return ours;
      },
    });
    return new Rig({ gateway, engine, clock, agents, events });
  }

  /** The client's end of a new connection. */
  accept(principal: GatewayPrincipal = ann): LinkedTransport {
    const [ours, theirs] = linkedTransports();
    this.gateway.accept(theirs, principal);
    return ours;
  }

  /** A client that has initialized. */
  async client(principal: GatewayPrincipal = ann, capabilities: object = {}): Promise<RawClient> {
    const client = new RawClient(this.accept(principal));
    await client.initialize(capabilities);
    return client;
  }

  /** The agent that was started last. */
  get agent(): RawAgent {
    const last = this.agents.at(-1);
    if (last === undefined) throw new TypeError("no agent was started");
    return last.agent;
  }

  /** Sends a prompt, and resolves with the agent's side of the turn. */
  async turn(client: RawClient, sessionId: string, text = "go") {
    const before = this.agents.length;
    const known = this.agents.map(({ agent }) => agent.turns.length);
    const response = client.prompt(sessionId, text);
    response.catch(() => {});
    const find = () =>
      this.agents
        .flatMap(({ agent }, i) => agent.turns.slice(i < before ? known[i] : 0))
        .find((turn) => turn.text === text);
    for (let turn = find(); ; turn = find()) {
      if (turn !== undefined) return { turn, response };
      await settled();
    }
  }

  close(): Promise<void> {
    return this.gateway.close();
  }
}

/** Waits until all pending promise callbacks have run. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
