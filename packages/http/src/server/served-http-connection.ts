import { after } from "@acp-kit/jsonrpc/internal";
import type { LiveConnection } from "./connections.js";
import type { AllServerLimits } from "./handler-options.js";
import type { HttpConnection } from "./http-connection.js";
import type { PostedMessage } from "./read-message.js";
import { initializeTimedOut, Refusal } from "./refusal.js";
import type { ServedAgent, ServedAgentConnection, ServedAgentDefaults } from "./served-agent.js";

/** The options of a {@link ServedHttpConnection}. */
export interface ServedHttpConnectionOptions {
  readonly http: HttpConnection;
  readonly limits: AllServerLimits;
  readonly agentDefaults: ServedAgentDefaults;
}

/**
 * - `connecting`: the server chooses the agent.
 * - `served`: the agent is connected.
 * - `closing`: the server closed the connection before the agent was connected.
 */
type ServingState =
  | { readonly is: "connecting" | "closing" }
  | { readonly is: "served"; readonly served: ServedAgentConnection };

/**
 * A connection over streamable HTTP together with its agent. The connection counts towards the limits even before its
 * agent is chosen, because the choice may take a while.
 */
export class ServedHttpConnection implements LiveConnection {
  readonly http: HttpConnection;
  readonly #options: ServedHttpConnectionOptions;
  #state: ServingState = { is: "connecting" };

  constructor(options: ServedHttpConnectionOptions) {
    this.http = options.http;
    this.#options = options;
  }

  /**
   * Connects the agent and resolves with the text of its response to `initialize`, which may be an error.
   *
   * @throws {Refusal} 502 when the agent ends without a response, 504 when the agent does not respond in time, 503 when
   * the server closes before the response. In each case, the connection has ended.
   */
  async initialize(posted: PostedMessage, chooseAgent: () => Promise<ServedAgent>): Promise<string> {
    const { initializeTimeoutMs } = this.#options.limits;
    let isLate = false;
    const stop = after(initializeTimeoutMs, () => {
      isLate = true;
      const message = `The agent did not respond to initialize within ${initializeTimeoutMs} ms (initializeTimeoutMs).`;
      this.http.fail(new Error(message));
    });
    try {
      const ended = this.http.ended.then(() => undefined);
      const text = await Promise.race([this.#respond(posted, chooseAgent), ended]);
      if (text !== undefined) return text;
    } catch (error) {
      this.http.fail(error);
      throw error;
    } finally {
      stop();
    }
    throw this.#noResponse(isLate);
  }

  /** Closes the agent's side of a connection whose `initialize` the agent has rejected. */
  discard(): void {
    if (this.#state.is === "served") void this.#state.served.close({ drainTimeoutMs: 0 });
  }

  sweep(): void {
    this.http.sweep();
  }

  async close(): Promise<void> {
    if (this.#state.is === "served") {
      await this.#state.served.close({ drainTimeoutMs: this.#options.limits.drainTimeoutMs });
    } else {
      this.#state = { is: "closing" };
      this.http.fail(new Error("The server is shutting down."));
    }
  }

  async #respond(posted: PostedMessage, chooseAgent: () => Promise<ServedAgent>): Promise<string | undefined> {
    const agent = await chooseAgent();
    if (this.http.hasEnded) return undefined;
    this.#state = { is: "served", served: agent.connect(this.http, this.#options.agentDefaults) };
    return this.http.initialize(posted);
  }

  #noResponse(isLate: boolean): Refusal {
    if (this.#state.is === "closing") return new Refusal(503, "The server is shutting down.");
    if (isLate) return initializeTimedOut();
    return new Refusal(502, "The agent ended before it responded to initialize.", { code: -32_603 });
  }
}
