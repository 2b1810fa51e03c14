import { type Deferred, deferred, onAbort } from "@acp-kit/jsonrpc/internal";
import type { GatewayClock } from "../clock.js";
import { errorObjectOf, gatewayError, limitReached, rpcErrorOf } from "../gateway-error.js";
import type { JournalEntry, Outcome, SessionParams, SettledBy } from "../journal/journal-entry.js";
import { isDelegated, type UnattendedRequest } from "../policy.js";
import type { ProtocolVersion } from "../version.js";
import type { AttachedClients } from "./attached-clients.js";
import { versioned } from "./session-state.js";

interface OpenRequest {
  readonly id: string;
  readonly method: string;
  readonly params: SessionParams;
  readonly to: string | undefined;
  /** The clients that responded that they do not support the method. */
  readonly declined: Set<string>;
  readonly result: Deferred<unknown>;
  /** Stops the timer that runs while no attached client can respond. */
  disarm: (() => void) | undefined;
}

/** The number of an agent's terminals whose clients are known. Above it, the oldest terminal is forgotten. */
const MAX_TERMINALS = 1_000;

/** The length of the id of such a terminal. */
const MAX_TERMINAL_ID_CHARS = 1_024;

/** Options of {@link AgentRequests}. */
export interface AgentRequestsOptions {
  /** The epoch of the lease, which makes ids unique among all owners of the session. */
  readonly epoch: number;
  readonly clock: GatewayClock;
  readonly clients: AttachedClients;
  readonly delegates: { readonly files: boolean; readonly terminals: boolean };
  readonly unattendedTimeoutMs: number;
  readonly maxOpen: number;
  readonly decide: (request: Pick<UnattendedRequest, "method" | "params">) => Outcome | PromiseLike<Outcome>;
  readonly append: (entry: JournalEntry) => void;
  /** Resolves when all appended entries are durable. */
  readonly durable: () => Promise<void>;
  /** Called when a request is open. A request that is rejected at once is not. */
  readonly onOpened: (method: string) => void;
  readonly onSettled: (method: string, by: SettledBy) => void;
}

/**
 * The open requests of a session's agent to its clients. The first response settles a request. Only the code that
 * removes a request from the table settles the request. The response is stored in the session's journal before the
 * agent receives it.
 */
export class AgentRequests {
  readonly #options: AgentRequestsOptions;
  readonly #open = new Map<string, OpenRequest>();
  #count = 0;
  /** The client that handles the agent's requests for files and terminals. */
  #server: string | undefined;
  /** The clients that created the terminals of the agent, by the ids of the terminals. Only they know the terminal. */
  readonly #terminals = new Map<string, string>();

  constructor(options: AgentRequestsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Routes a request to the clients and resolves with the response. */
  async send(method: string, params: SessionParams, version: ProtocolVersion, signal: AbortSignal): Promise<unknown> {
    const { epoch, append, maxOpen, onOpened } = this.#options;
    if (this.#open.size >= maxOpen)
      throw limitReached("maxOpenRequests", `At most ${maxOpen} requests may be open at once`);
    const to = isDelegated(method) ? this.#serverOf(method, params) : undefined;
    const id = `${epoch}.${++this.#count}`;
    const request: OpenRequest = {
      id,
      method,
      params,
      to,
      declined: new Set(),
      result: deferred(),
      disarm: undefined,
    };
    this.#open.set(id, request);
    onOpened(method);
    append({ type: "request_opened", ...versioned(version), id, method, params, ...(to !== undefined && { to }) });
    onAbort(signal, () => this.#settleQuietly(request, "agent", cancelled));
    this.clientsChanged();
    return request.result.promise;
  }

  /** Handles a client's response. Resolves when the response is durable, or when it was too late and is ignored. */
  async respond(id: string, client: string, outcome: Outcome): Promise<void> {
    const request = this.#open.get(id);
    if (request === undefined || (request.to !== undefined && request.to !== client)) return;
    if ("error" in outcome && outcome.error.code === -32601 && request.to === undefined) {
      request.declined.add(client); // this client does not support the method; another client may
      if (this.#isAttended(request)) return;
    }
    if ("result" in outcome) this.#noteTerminal(request, client, outcome.result);
    await this.#settle(request, "client", outcome);
  }

  /**
   * Called when a client was attached or detached. A request that no client can handle waits for `unattendedTimeoutMs`.
   * A request to a detached client fails.
   */
  clientsChanged(): void {
    const { clients, clock, unattendedTimeoutMs } = this.#options;
    if (this.#server !== undefined && !clients.has(this.#server)) this.#server = undefined;
    for (const request of [...this.#open.values()])
      if (request.to !== undefined && !clients.has(request.to)) this.#settleQuietly(request, "agent", clientGone());
    for (const request of this.#open.values()) {
      if (this.#isAttended(request)) {
        request.disarm?.();
        request.disarm = undefined;
      } else request.disarm ??= clock.after(unattendedTimeoutMs, () => void this.#decide(request));
    }
  }

  /**
   * Settles permission requests and elicitations of a cancelled turn, as the protocol requires.
   *
   * @param background the ids of tool calls that continue after the turn. Their requests stay open.
   */
  cancelTurn(background: ReadonlySet<unknown>): void {
    for (const request of [...this.#open.values()]) {
      if (background.has(subjectOf(request.params))) continue;
      if (request.method === "session/request_permission")
        this.#settleQuietly(request, "cancel", { result: { outcome: { outcome: "cancelled" } } });
      else if (request.method === "elicitation/create")
        this.#settleQuietly(request, "cancel", { result: { action: "cancel" } });
    }
  }

  /** Settles all requests, because the agent has ended. */
  agentGone(): void {
    this.#server = undefined;
    this.#terminals.clear();
    for (const request of [...this.#open.values()]) this.#settleQuietly(request, "agent", cancelled);
  }

  /**
   * Rejects all open requests, because this replica releases the session. In the journal they stay open until the next
   * owner settles them.
   */
  abandon(): void {
    for (const { disarm, result } of this.#open.values()) {
      disarm?.();
      result.reject(gatewayError("agent_failed", "The session was closed"));
    }
    this.#open.clear();
  }

  /** Whether a client is attached that may respond, and that has not responded that it does not support the method. */
  #isAttended({ declined }: OpenRequest): boolean {
    return this.#options.clients.interactive.some((client) => !declined.has(client));
  }

  async #decide(request: OpenRequest): Promise<void> {
    const { method, params } = request;
    let outcome: Outcome;
    try {
      outcome = await this.#options.decide({ method, params });
    } catch (error) {
      outcome = { error: errorObjectOf(error) };
    }
    if (!this.#isAttended(request)) this.#settleQuietly(request, "policy", outcome); // a user may look at it meanwhile
  }

  /**
   * Settles a request and ignores errors. An error means that the journal of the session has ended, so that this
   * replica no longer runs the session.
   */
  #settleQuietly(request: OpenRequest, by: SettledBy, outcome: Outcome): void {
    this.#settle(request, by, outcome).catch(() => {});
  }

  async #settle(request: OpenRequest, by: SettledBy, outcome: Outcome): Promise<void> {
    const { id, method, result, disarm } = request;
    if (!this.#open.delete(id)) return;
    disarm?.();
    const { append, durable, onSettled } = this.#options;
    append({ type: "request_settled", id, by, ...(isDecision(method) && { outcome }) });
    onSettled(method, by);
    try {
      await durable();
      if ("error" in outcome) result.reject(rpcErrorOf(outcome.error));
      else result.resolve(outcome.result);
    } catch (error) {
      result.reject(gatewayError("agent_failed", "The session was closed"));
      throw error;
    }
  }

  #noteTerminal({ method, params }: OpenRequest, client: string, result: unknown): void {
    if (method === "terminal/release") this.#terminals.delete(String(params.terminalId));
    if (method !== "terminal/create") return;
    const { terminalId } = (result ?? {}) as { readonly terminalId?: unknown };
    if (typeof terminalId !== "string" || terminalId.length > MAX_TERMINAL_ID_CHARS) return;
    this.#terminals.delete(terminalId);
    this.#terminals.set(terminalId, client);
    const [oldest = ""] = this.#terminals.keys();
    if (this.#terminals.size > MAX_TERMINALS) this.#terminals.delete(oldest);
  }

  #serverOf(method: string, { terminalId }: SessionParams): string {
    const { clients, delegates } = this.#options;
    const isOn = method.startsWith("fs/") ? delegates.files : delegates.terminals;
    if (!isOn) throw rpcErrorOf({ code: -32601, message: `Method not found: ${method}` });
    const owner = typeof terminalId === "string" ? this.#terminals.get(terminalId) : undefined;
    if (owner !== undefined) {
      if (clients.serves(owner, method)) return owner;
      throw gatewayError("client_gone", "The client that created the terminal has left", { data: { method } });
    }
    if (this.#server === undefined || !clients.serves(this.#server, method)) this.#server = clients.server(method);
    if (this.#server === undefined)
      throw gatewayError("client_gone", `No attached client handles ${method}`, { data: { method } });
    return this.#server;
  }
}

/** The id of the tool call that a permission request of version 2 is about. */
function subjectOf({ subject }: SessionParams): unknown {
  return (subject as { readonly toolCall?: { readonly toolCallId?: unknown } } | undefined)?.toolCall?.toolCallId;
}

const cancelled: Outcome = { error: { code: -32800, message: "Request cancelled" } };

function clientGone(): Outcome {
  return { error: gatewayError("client_gone", "The client that handled this request disconnected").toJSON() };
}

/**
 * Whether the outcome of a request is stored in the journal. Outcomes of file and terminal requests are not, because
 * they contain data of a client's machine.
 */
function isDecision(method: string): boolean {
  return method === "session/request_permission";
}
