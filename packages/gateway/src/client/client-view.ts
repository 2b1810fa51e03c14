import type { DiagnosticListener } from "@acp-kit/jsonrpc/internal";
import type { GatewayClock } from "../clock.js";
import { userMessageId } from "../journal/history.js";
import type { JournalEntry, OpenedRequest, Outcome, SessionParams } from "../journal/journal-entry.js";
import type { RecordedEntry } from "../journal/recorded-entry.js";
import type { Activity, SessionState } from "../session/session-state.js";
import type { ConvertedRequest, GatewayVersion, ProtocolVersion, SessionView } from "../version.js";

type Params = Readonly<Record<string, unknown>>;

/** The protocol of a client, which is the same for all of its sessions. */
export interface ClientProtocol {
  readonly version: ProtocolVersion;
  readonly v2?: GatewayVersion | undefined;
  /** The capabilities of the client, in its version. */
  readonly capabilities: object;
  readonly clock: GatewayClock;
  readonly report: DiagnosticListener;
}

/**
 * What one client sees of a session, in the version of the client. Entries in the other version are converted. In
 * version 2, the view also has the state of the work, which agents of version 1 do not report.
 */
export class ClientView {
  readonly version: ProtocolVersion;
  readonly #protocol: ClientProtocol;
  /** Sends params that a timer of the conversion has collected. */
  readonly #sendLate: (params: SessionParams) => void;
  #converter: SessionView | undefined;
  /** The params that the current conversion gives; `undefined` outside of a conversion. */
  #collected: SessionParams[] | undefined;
  /** Whether the client receives the entries of the view. Until then, timers of the conversion wait. */
  #isLive = false;
  /** The action of a timer that waits. */
  #late: (() => void) | undefined;
  #agentVersion: ProtocolVersion;
  readonly #hasBothVersions: boolean;
  /** The version in which the running turn has begun; `undefined` if no turn runs. */
  #turn: ProtocolVersion | undefined;
  /** The version in which the last turn has begun. */
  #lastTurn: ProtocolVersion;
  /** The open requests of an agent of version 1. */
  readonly #requests: Set<string>;
  #activity: Activity | undefined;

  /** @param state the state of the session where the view begins. */
  constructor(protocol: ClientProtocol, state: SessionState, sendLate: (params: SessionParams) => void) {
    this.version = protocol.version;
    this.#protocol = protocol;
    this.#sendLate = sendLate;
    this.#agentVersion = state.version ?? 1;
    this.#hasBothVersions = state.hasBothVersions === true;
    this.#turn = state.turn === null ? undefined : this.#agentVersion;
    this.#lastTurn = this.#agentVersion;
    this.#requests = new Set(state.requests);
    this.#activity = state.activity;
  }

  /** Whether the agent speaks the version of the client. */
  get isNative(): boolean {
    return this.#agentVersion === this.version;
  }

  /** The version of the agent, which requests of the client must have. */
  get agentVersion(): ProtocolVersion {
    return this.#agentVersion;
  }

  /** Whether the agent of the last turn reports its end itself. The next agent may speak another version. */
  get hasStates(): boolean {
    return this.#lastTurn === 2;
  }

  /** Whether the view depends on entries before its beginning, because some entries are in the other version. */
  get needsHistory(): boolean {
    return this.#hasBothVersions || !this.isNative;
  }

  /** Begins again before the entries on which the view depends. */
  restart(): void {
    this.close();
    this.#converter = undefined;
    this.#turn = undefined;
    this.#requests.clear();
    this.#activity = undefined;
  }

  /** Runs the timers of the conversion from now on: the client has received all entries that the view has taken. */
  resume(): void {
    this.#isLive = true;
    const late = this.#late;
    this.#late = undefined;
    late?.();
  }

  /** Lets the timers wait, because the client is opening the session again. */
  pause(): void {
    this.#isLive = false;
  }

  /** Returns the params of `session/update` for an update of the agent. They may be changed, so they must be a copy. */
  update(params: SessionParams, version: ProtocolVersion, seq: number): readonly SessionParams[] {
    if (version === this.version) return [params];
    return this.#collect((converter) => converter.update(params, seq));
  }

  /** Takes an entry that the client has received before, or does not receive. */
  skip({ seq, text, entry }: RecordedEntry): void {
    this.note(entry);
    if (entry.type === "update" && entry.method === "session/update" && !this.#isOwnVersion(entry))
      this.update((JSON.parse(text) as typeof entry).params, entry.version ?? 1, seq);
    else if (entry.type === "setting_changed" && !this.#isOwnVersion(entry))
      this.update({ sessionId: "", update: structuredClone(entry.update) }, entry.version ?? 1, seq);
    else if (entry.type === "agent_opened") this.reopened(entry, "");
    else if (entry.type === "turn_started") this.started(entry, seq);
    else if (entry.type === "turn_ended") this.ended(entry.outcome);
  }

  /** Follows the state of the work. Every entry must be noted once, before it is delivered or skipped. */
  note(entry: JournalEntry): void {
    switch (entry.type) {
      case "update": {
        if (entry.version !== 2) return;
        const update = entry.params.update as (Activity & { readonly sessionUpdate?: unknown }) | null;
        if (update?.sessionUpdate === "state_update") this.#activity = update;
        return;
      }
      case "turn_started":
        this.#turn = entry.version ?? 1;
        this.#lastTurn = this.#turn;
        this.#agentVersion = this.#turn;
        return;
      case "turn_ended":
        if (entry.started !== false) this.#turn = undefined;
        return;
      case "request_opened":
        if (entry.version !== 2) this.#requests.add(entry.id);
        return;
      case "request_settled":
        this.#requests.delete(entry.id);
        return;
      case "agent_opened":
        this.#agentVersion = entry.version ?? 1;
        this.#activity = undefined;
        return;
    }
  }

  /** Returns the user messages of a prompt, in the version of the client. An agent of version 2 sends its own. */
  started(entry: Extract<JournalEntry, { type: "turn_started" }>, seq: number): object[] {
    const messageId = userMessageId(seq);
    const isOwnVersion = this.#isOwnVersion(entry);
    if (this.version === 2 && isOwnVersion) return [];
    let content: readonly unknown[] = entry.prompt;
    if (!isOwnVersion)
      this.#collect((converter) => {
        content = converter.started(structuredClone(entry.prompt));
      });
    if (this.version === 2) return [{ sessionUpdate: "user_message", messageId, content }];
    return content.map((block) => ({ sessionUpdate: "user_message_chunk", messageId, content: block }));
  }

  /** Returns the outcome of a turn for the client, and what has to be sent before it. */
  ended(outcome: Outcome): { readonly before: readonly SessionParams[]; readonly outcome: Outcome } {
    if (this.#converter === undefined) return { before: [], outcome };
    let converted = outcome;
    const before = this.#collect((converter) => {
      converted = converter.ended(outcome);
    });
    return { before, outcome: converted };
  }

  /**
   * The state of the work for a client of version 2, if the agent does not report it itself.
   *
   * @param outcome the end of the turn, if it has just ended.
   */
  workState(outcome?: Outcome): object {
    if (this.#turn === 1)
      return { sessionUpdate: "state_update", state: this.#requests.size > 0 ? "requires_action" : "running" };
    if (outcome === undefined) return { sessionUpdate: "state_update", state: "idle" };
    if ("error" in outcome)
      return { sessionUpdate: "state_update", state: "idle", stopReason: "error", error: outcome.error };
    const { stopReason, usage, _meta } = (outcome.result ?? {}) as Record<string, unknown>;
    return {
      sessionUpdate: "state_update",
      state: "idle",
      ...(typeof stopReason === "string" && { stopReason }),
      ...(usage != null && { usage }),
      ...(_meta != null && { _meta }),
    };
  }

  /**
   * The current state, for a client of version 2 that opens the session.
   *
   * @param outcome the end of the last turn, if the client may have missed it.
   */
  state(outcome: Outcome | undefined): object {
    return this.#activity !== undefined && this.#turn !== 1 ? this.#activity : this.workState(outcome);
  }

  /**
   * The last state of the work, because the session no longer exists.
   *
   * @param outcome the end of the turn, if one runs.
   */
  lastState(outcome: Outcome | undefined): object {
    this.#turn = undefined;
    return this.workState(outcome);
  }

  /** Whether an entry begins or ends the wait of an agent of version 1 for a response of a user. */
  changesState(entry: JournalEntry): boolean {
    if (this.version !== 2 || this.#turn !== 1) return false;
    if (entry.type === "request_opened") return this.#requests.size === 1;
    return entry.type === "request_settled" && this.#requests.size === 0;
  }

  /**
   * Returns the members of a response that opens the session.
   *
   * @param version the version of the agent with this setup.
   */
  opened(setup: object, version: ProtocolVersion): object {
    if (version === this.version) return setup;
    let opened = {};
    this.#collect((converter) => {
      opened = converter.opened(structuredClone(setup));
    });
    return opened;
  }

  /** Returns the params of the updates that follow such a response. */
  announcements(setup: object, version: ProtocolVersion, sessionId: string): readonly SessionParams[] {
    if (version === this.version) return [];
    return this.#collect((converter) => converter.announce(structuredClone(setup))).map((params) => ({
      ...params,
      sessionId,
    }));
  }

  /** Returns the params of updates with the settings of an agent of the other version that has opened the session. */
  reopened(entry: Extract<JournalEntry, { type: "agent_opened" }>, sessionId: string): readonly SessionParams[] {
    if (this.#isOwnVersion(entry)) return [];
    return this.#collect((converter) => converter.reopened(structuredClone(entry.setup))).map((params) => ({
      ...params,
      sessionId,
    }));
  }

  /** Converts a request of the agent; `undefined` if the client can't receive it. */
  request({ method, params, version }: OpenedRequest): ConvertedRequest | undefined {
    if ((version ?? 1) === this.version) return unchanged(method, params);
    let request: ConvertedRequest | undefined;
    const before = this.#collect((converter) => {
      request = converter.request(method, structuredClone(params));
    });
    for (const update of before) this.#sendLate(update);
    return request;
  }

  /** Converts a request of the client. @throws {RpcError} if the agent can't receive it. */
  call(method: string, params: Params): ConvertedRequest {
    if (this.isNative) return unchanged(method, params);
    let request = unchanged(method, params);
    this.#collect((converter) => {
      const converted = converter.call(method, structuredClone(params));
      request = { ...converted, result: (result) => this.#result(converted, result) };
    });
    return request;
  }

  close(): void {
    this.#converter?.close();
  }

  /** Converts a result. Updates that follow from it are sent first. */
  #result(request: ConvertedRequest, result: unknown): unknown {
    let converted: unknown;
    const updates = this.#collect(() => {
      converted = request.result(result);
    });
    for (const params of updates) this.#sendLate(params);
    return converted;
  }

  #timer(ms: number, run: () => void, clock: GatewayClock): () => void {
    const stop = clock.after(ms, () => {
      if (this.#isLive) run();
      else this.#late = run;
    });
    return () => {
      stop();
      this.#late = undefined;
    };
  }

  #isOwnVersion({ version = 1 }: { readonly version?: ProtocolVersion | undefined }): boolean {
    return version === this.version;
  }

  #collect(convert: (converter: SessionView) => void): readonly SessionParams[] {
    const { v2, version, capabilities, clock, report } = this.#protocol;
    if (v2 === undefined) return [];
    this.#converter ??= v2.view(version, {
      capabilities,
      report,
      send: (params) => (this.#collected === undefined ? this.#sendLate(params) : void this.#collected.push(params)),
      timer: (ms, run) => this.#timer(ms, run, clock),
    });
    const collected: SessionParams[] = [];
    this.#collected = collected;
    try {
      convert(this.#converter);
    } finally {
      this.#collected = undefined;
    }
    return collected;
  }
}

function unchanged(method: string, params: Params): ConvertedRequest {
  return { method, params, result: (result) => result };
}
