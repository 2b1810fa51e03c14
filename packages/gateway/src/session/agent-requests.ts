import { type Deferred, deferred, onAbort } from "@acp-kit/jsonrpc";
import type { GatewayClock } from "../clock.js";
import { errorObjectOf, gatewayError, limitReached, rpcErrorOf } from "../gateway-error.js";
import type { JournalEntry, Outcome, SessionParams, SettledBy } from "../journal/journal-entry.js";
import { isDelegated, type UnattendedRequest } from "../policy.js";
import type { Attendance } from "./attendance.js";

interface OpenRequest {
  readonly id: string;
  readonly method: string;
  readonly params: SessionParams;
  readonly to: string | undefined;
  /** Clients that do not know the method. */
  readonly declined: Set<string>;
  readonly result: Deferred<unknown>;
  /** Ends the wait for a client. */
  disarm: (() => void) | undefined;
}

/** What {@link AgentRequests} work with. */
export interface AgentRequestsOptions {
  /** Makes ids unique among all owners of the session: its epoch. */
  readonly epoch: number;
  readonly clock: GatewayClock;
  readonly attendance: Attendance;
  readonly delegates: { readonly files: boolean; readonly terminals: boolean };
  readonly unattendedMs: number;
  readonly maxOpen: number;
  readonly decide: (request: Pick<UnattendedRequest, "method" | "params">) => Outcome | PromiseLike<Outcome>;
  readonly append: (entry: JournalEntry) => void;
  /** Resolves when what was appended is durable. */
  readonly durable: () => Promise<void>;
  readonly onSettled: (method: string, by: SettledBy) => void;
}

/**
 * The open requests of a session's agent to its clients. The first response settles one; only the code that removed it from
 * the table does so, and the agent receives a response after it is journalled.
 */
export class AgentRequests {
  readonly #options: AgentRequestsOptions;
  readonly #open = new Map<string, OpenRequest>();
  #count = 0;
  /** The client that serves the agent's terminals and files: they are on its machine. */
  #server: string | undefined;

  constructor(options: AgentRequestsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Routes a request to the clients and resolves with the response. */
  async send(method: string, params: SessionParams, signal: AbortSignal): Promise<unknown> {
    const { epoch, append, maxOpen } = this.#options;
    if (this.#open.size >= maxOpen)
      throw limitReached("maxOpenRequests", `At most ${maxOpen} requests may be open at once`);
    const to = isDelegated(method) ? this.#serverOf(method) : undefined;
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
    append({ type: "request_opened", id, method, params, ...(to !== undefined && { to }) });
    onAbort(signal, () => this.#settleQuietly(request, "agent", cancelled));
    this.attendanceChanged();
    return request.result.promise;
  }

  /** A client's response. Resolves when it is durable, or was too late. */
  async respond(id: string, client: string, outcome: Outcome): Promise<void> {
    const request = this.#open.get(id);
    if (request === undefined || (request.to !== undefined && request.to !== client)) return;
    if ("error" in outcome && outcome.error.code === -32601 && request.to === undefined) {
      request.declined.add(client); // it does not know the method; another client may
      if (this.#options.attendance.interactive.some((one) => !request.declined.has(one))) return;
    }
    await this.#settle(request, "client", outcome);
  }

  /** Clients came or went: requests that no client can respond to wait for a time, those to a client that went end. */
  attendanceChanged(): void {
    const { attendance, clock, unattendedMs } = this.#options;
    const isAttended = attendance.interactive.length > 0;
    const gone = this.#server;
    if (gone !== undefined && !attendance.has(gone)) {
      this.#server = undefined;
      for (const request of [...this.#open.values()])
        if (request.to === gone) this.#settleQuietly(request, "agent", clientGone());
    }
    for (const request of this.#open.values()) {
      if (isAttended) {
        request.disarm?.();
        request.disarm = undefined;
      } else request.disarm ??= clock.after(unattendedMs, () => void this.#decide(request));
    }
  }

  /** The turn was cancelled: permission requests and elicitations end as the protocol says. */
  cancelTurn(): void {
    for (const request of [...this.#open.values()]) {
      if (request.method === "session/request_permission")
        this.#settleQuietly(request, "cancel", { result: { outcome: { outcome: "cancelled" } } });
      else if (request.method === "elicitation/create")
        this.#settleQuietly(request, "cancel", { result: { action: "cancel" } });
    }
  }

  /** The agent has ended: nothing waits for responses any more. */
  agentGone(): void {
    this.#server = undefined;
    for (const request of [...this.#open.values()]) this.#settleQuietly(request, "agent", cancelled);
  }

  /** The session is given up here: the next owner settles what is open. */
  abandon(): void {
    for (const { disarm, result } of this.#open.values()) {
      disarm?.();
      result.reject(gatewayError("agent_failed", "The session was closed"));
    }
    this.#open.clear();
  }

  async #decide(request: OpenRequest): Promise<void> {
    const { method, params } = request;
    let outcome: Outcome;
    try {
      outcome = await this.#options.decide({ method, params });
    } catch (error) {
      outcome = { error: errorObjectOf(error) };
    }
    this.#settleQuietly(request, "policy", outcome);
  }

  /** For callers without a promise to reject: if the journal has ended, so has the session. */
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

  #serverOf(method: string): string {
    const { attendance, delegates } = this.#options;
    const isOn = method.startsWith("fs/") ? delegates.files : delegates.terminals;
    if (!isOn) throw rpcErrorOf({ code: -32601, message: `Method not found: ${method}` });
    if (this.#server === undefined || !attendance.serves(this.#server, method))
      this.#server = attendance.server(method);
    if (this.#server === undefined)
      throw gatewayError("client_gone", `No attached client serves ${method}`, { data: { method } });
    return this.#server;
  }
}

const cancelled: Outcome = { error: { code: -32800, message: "Request cancelled" } };

function clientGone(): Outcome {
  return { error: gatewayError("client_gone", "The client that served this request disconnected").toJSON() };
}

/** Outcomes that are part of the history. Those of files and terminals are content of a client's machine. */
function isDecision(method: string): boolean {
  return method === "session/request_permission";
}
