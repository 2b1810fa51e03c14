import { linkedTransports } from "@acp-kit/jsonrpc";
import { type Gateway, type GatewayEvent, memoryEngine } from "../src/index.js";
import { type AllGatewayOptions, createGatewayWith } from "../src/internal.js";
import { type GatewayServer, type ServeGatewayOptions, serveGateway } from "../src/node/serve-gateway.js";
import { RawAgent, type RawTurn } from "./raw-agent.js";
import type { RawClient } from "./raw-client.js";

export type ServedOptions = ServeGatewayOptions & {
  readonly gateway?: Partial<Omit<AllGatewayOptions, "start">>;
};

/** A gateway at a URL, with agents under the test's control. */
export class Served {
  readonly gateway: Gateway;
  readonly server: GatewayServer;
  /** Every agent that was started, oldest first. */
  readonly agents: RawAgent[];
  readonly events: GatewayEvent[];

  private constructor(parts: Pick<Served, "gateway" | "server" | "agents" | "events">) {
    this.gateway = parts.gateway;
    this.server = parts.server;
    this.agents = parts.agents;
    this.events = parts.events;
  }

  static async start({ gateway: settings, ...options }: ServedOptions = {}): Promise<Served> {
    const agents: RawAgent[] = [];
    const events: GatewayEvent[] = [];
    const gateway = await createGatewayWith({
      engine: memoryEngine(),
      ...settings,
      onEvent: (event) => void events.push(event),
      start: () => {
        const [ours, theirs] = linkedTransports();
        agents.push(new RawAgent(theirs));
        return ours;
      },
    });
    return new Served({ gateway, server: await serveGateway(gateway, options), agents, events });
  }

  /** Sends a prompt, and resolves with the agent's side of the turn. */
  async turn(
    client: RawClient,
    sessionId: string,
    text: string,
  ): Promise<{ turn: RawTurn; response: Promise<Record<string, unknown>> }> {
    const response = client.prompt(sessionId, text);
    response.catch(() => {});
    return { turn: await this.turnOf(text), response };
  }

  /** Resolves with the turn of a prompt when the agent has received it. */
  async turnOf(text: string): Promise<RawTurn> {
    for (;;) {
      const turn = this.agents.flatMap(({ turns }) => turns).find((one) => one.text === text);
      if (turn !== undefined) return turn;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.gateway.close();
  }
}
