import { type ErrorObject, onAbort } from "@acp-kit/jsonrpc/internal";
import type { SessionKey } from "../engine/session-record.js";
import { errorObjectOf, rpcErrorOf } from "../gateway-error.js";
import { type McpCall, type McpServers, unavailable } from "../mcp-servers.js";
import { type RetryOptions, retry } from "../retry.js";
import type { McpCommand, Reply } from "../session/command.js";
import type { Mailbox } from "./mailbox.js";

/** Options of {@link McpCalls}. */
export interface McpCallsOptions extends RetryOptions {
  /** The id of this replica. */
  readonly replica: string;
  readonly mailbox: Mailbox;
  readonly servers: McpServers;
  readonly times: RetryOptions["times"] & { readonly replyMs: number };
}

/**
 * The calls of MCP servers between replicas: those of agents of this replica to clients of others, and those of other
 * replicas to clients of this one. A call is executed at most once, at one replica, and is not journaled.
 */
export class McpCalls {
  readonly #options: McpCallsOptions;
  /** The calls of other replicas that run here. */
  readonly #running = new Map<string, AbortController>();

  constructor(options: McpCallsOptions) {
    this.#options = options;
  }

  /** Sends a call to the replica of a client, and resolves with the client's response. */
  async call(to: string, key: SessionKey, { params, signal }: McpCall): Promise<unknown> {
    const { mailbox, replica, times } = this.#options;
    const id = mailbox.nextId();
    const call = `${replica}/${id}`;
    const stop = onAbort(signal, () => void this.#send(to, key, { is: "mcp_cancel", call }));
    try {
      for (let command: McpCommand = { is: "mcp_call", call, from: replica, params }; ; command = { is: "mcp_wait" }) {
        const letter = { to, id, key, command, seen: 0, mayAcquire: false };
        const reply = await retry(() => mailbox.send(letter, times.replyMs), this.#options);
        if (reply === "gone") throw unavailable("The server of the client that serves the MCP server has ended");
        if (reply !== undefined) return resultOf(reply);
      }
    } finally {
      stop();
    }
  }

  /** Executes a message of another replica. Never rejects. */
  async receive({ scope, sessionId }: SessionKey, command: McpCommand): Promise<Reply> {
    switch (command.is) {
      case "mcp_call":
        return this.#run({ scope, sessionId }, command);
      case "mcp_wait":
        return refused(unavailable("The call did not arrive").toJSON());
      case "mcp_cancel":
        this.#running.get(command.call)?.abort();
        return done;
      case "mcp_notified":
        this.#options.servers.notifiedElsewhere(scope, command.params);
        return done;
    }
  }

  async #run(
    key: SessionKey,
    { call, from, params }: Extract<McpCommand, { readonly is: "mcp_call" }>,
  ): Promise<Reply> {
    const controller = new AbortController();
    this.#running.set(call, controller);
    const notify = (notified: object): Promise<void> => this.#send(from, key, { is: "mcp_notified", params: notified });
    try {
      const result = await this.#options.servers.call(key.scope, { params, signal: controller.signal, notify });
      return { ...done, outcome: { result } };
    } catch (error) {
      return refused(errorObjectOf(error));
    } finally {
      this.#running.delete(call);
    }
  }

  async #send(to: string, key: SessionKey, command: McpCommand): Promise<void> {
    const { mailbox, times } = this.#options;
    const letter = { to, id: mailbox.nextId(), key, command, seen: 0, mayAcquire: false };
    await mailbox.send(letter, times.replyMs).catch(() => {});
  }
}

/** The reply to a message that changes no journal. */
const done = { is: "done", at: 0, epoch: 0 } as const;

function refused(error: ErrorObject): Reply {
  return { is: "refused", error };
}

function resultOf(reply: Reply): unknown {
  if (reply.is === "refused") throw rpcErrorOf(reply.error);
  const outcome = reply.is === "done" ? reply.outcome : undefined;
  if (outcome === undefined) throw unavailable("The server of the client can't call MCP servers");
  if ("error" in outcome) throw rpcErrorOf(outcome.error);
  return outcome.result;
}
