import { CapabilityError, isConnectionError } from "@acp-kit/protocol";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import type { ContentBlock, LoadSessionRequest } from "@acp-kit/types";
import type { IncomingBackgroundWork } from "@acp-kit/types/v2";
import { isNotFound } from "../errors.js";
import { type PromptInput, promptBlocks } from "../prompt/prompt-content.js";
import type { Readable } from "../transcript/readable.js";
import type { Transcript } from "../transcript/transcript.js";
import { LiveOptions, type OpeningOptions } from "./live-options.js";
import type { SessionSetup } from "./open-options.js";
import type { PromptOptions, PromptTurn, Session, SessionOrigin, UpdateListener } from "./session.js";
import type { SessionClient } from "./session-client.js";
import { SessionLostError } from "./session-lost-error.js";
import { sessionParams } from "./session-params.js";
import { type Replay, SessionState } from "./state.js";
import { cannotSteer, canSteer, type SteerOutcome, steer } from "./steer.js";
import { turnNoticeOf } from "./turn-notice.js";
import { Turns } from "./turns.js";
import { receive } from "./updates.js";

/** The members of a response to `session/new`, `session/load` or `session/resume` that a session uses. */
export interface OpeningResponse extends OpeningOptions {
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}

/** The implementation of {@link Session}: its parts, and how it is opened and closed. */
export class LiveSession implements Session {
  readonly sessionId: string;
  readonly state: SessionState;
  readonly options: LiveOptions;
  readonly turns: Turns;
  /** The request `session/close`, once it was sent. */
  closing: Promise<void> | undefined;
  #reopening: Promise<void> | undefined;

  constructor(client: SessionClient, sessionId: string) {
    this.sessionId = sessionId;
    this.state = new SessionState(client, sessionId);
    this.options = new LiveOptions(this.state, this);
    this.turns = new Turns(this.state, this);
  }

  get roots(): readonly string[] {
    return this.state.roots;
  }

  get origin(): SessionOrigin {
    return this.state.origin;
  }

  get transcript(): Transcript {
    return this.state.transcript.transcript;
  }

  get activity(): "idle" | "running" {
    return this.turns.current === undefined && !this.turns.version?.isWorking ? "idle" : "running";
  }

  get turn(): PromptTurn | undefined {
    return this.turns.current;
  }

  get queue(): readonly PromptTurn[] {
    return this.turns.list.snapshot;
  }

  get background(): Readable<readonly IncomingBackgroundWork[] | undefined> {
    return this.turns.background;
  }

  get closed(): boolean {
    return this.state.isClosed;
  }

  onQueueChange(listener: () => void): () => void {
    return this.turns.list.subscribe(listener);
  }

  prompt(input: PromptInput, options: PromptOptions = {}): PromptTurn {
    const { client, peer } = this.state;
    let blocks: ContentBlock[] = [];
    let problem: unknown;
    try {
      checkOptions("prompt", options, promptKinds);
      if (this.closed) throw new TypeError(`Session ${this.sessionId} is closed`);
      if (this.turns.isBusy && client.concurrentPrompts === "reject")
        throw new TypeError(
          `A turn of session ${this.sessionId} is running, and concurrentPrompts is "reject": wait for its result, or cancel it`,
        );
      blocks = promptBlocks(peer, input, options.unsupportedBlocks);
    } catch (error) {
      problem = error;
    }
    const turn = this.turns.create(blocks, options);
    if (problem !== undefined) turn.reject(problem);
    else if (options.signal?.aborted) turn.resolve({ stopReason: "cancelled" });
    else this.turns.add(turn);
    return turn;
  }

  cancel(): void {
    this.turns.cancelAll();
  }

  async steer(input: PromptInput): Promise<SteerOutcome> {
    const { client, peer } = this.state;
    const { version } = this.turns;
    if (version === undefined && !canSteer(client.link.current.response)) throw cannotSteer();
    const blocks = promptBlocks(peer, input);
    if (version !== undefined) return version.steer(blocks);
    return this.turn === undefined ? "no_turn" : steer(peer, this.sessionId, blocks);
  }

  canCancel(id: string, what: "tool_call" | "terminal" = "tool_call"): boolean {
    return this.turns.version?.canCancel(what, id) ?? false;
  }

  cancelToolCall(toolCallId: string): Promise<void> {
    return this.#cancelPart("tool_call", toolCallId);
  }

  cancelTerminal(terminalId: string): Promise<void> {
    return this.#cancelPart("terminal", terminalId);
  }

  async #cancelPart(what: "tool_call" | "terminal", id: string): Promise<void> {
    const { version } = this.turns;
    if (version === undefined) throw new CapabilityError(`${what}/cancel`, "capabilities.cancel");
    await version.cancelPart(what, id);
  }

  onUpdate(listener: UpdateListener): () => void {
    return this.state.listeners.add(listener);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.end();
    this.closing = this.#close();
    await this.closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.close();
    } catch (error) {
      if (!isConnectionError(error)) throw error;
    }
  }

  // ── opening and ending, called by the connection ───────────────────────────────────────────────────────────────────

  /**
   * Applies the response that has opened the session. `setup` is kept to open the session again over another
   * connection.
   */
  opened(origin: SessionOrigin, response: OpeningResponse, setup: SessionSetup): void {
    const { state, sessionId } = this;
    const { modes, configOptions, _meta } = response;
    state.origin = origin;
    this.options.onOpened(response);
    state.transcript.onOpened({ sessionId, ...(modes && { modes }), ...(configOptions && { configOptions }) });
    if (state.replay === undefined && this.#isJoined(_meta)) this.turns.join();
    this.remember(setup);
    this.turns.version?.opened(response, (update, size) => receive(this, update, size));
  }

  /**
   * Notes that the session is open over the current connection. The agent can send requests before its response to
   * `session/load`.
   */
  remember(setup: SessionSetup): void {
    this.state.openedAs = { setup, generation: this.state.client.link.generation };
  }

  /**
   * Opens the session again over the current connection, with `session/resume` if possible, else with `session/load`.
   * Its listeners don't get the history again. Returns `undefined` if the session is already open there.
   */
  attach(): Promise<void> | undefined {
    const ready = this.state.client.link.ready();
    return ready === undefined ? this.#attach() : ready.then(() => this.#attach());
  }

  #attach(): Promise<void> | undefined {
    const { openedAs, client } = this.state;
    if (openedAs === undefined || openedAs.generation === client.link.generation) return undefined;
    this.#reopening ??= this.#reopen(openedAs.setup).finally(() => {
      this.#reopening = undefined;
    });
    return this.#reopening;
  }

  async #reopen(setup: SessionSetup): Promise<void> {
    const { sessionId } = this;
    const { peer, client } = this.state;
    if (peer.offers("agentCapabilities.sessionCapabilities.resume")) {
      const params = { sessionId, ...sessionParams(peer, "session/resume", setup) };
      const onResult = (response: OpeningResponse): void => this.opened("resumed", response, setup);
      await peer.request("session/resume", params, { onResult });
    } else if (peer.offers("agentCapabilities.loadSession")) {
      await this.load({ sessionId, ...sessionParams(peer, "session/load", setup) }, setup, "none");
    } else {
      throw new SessionLostError(sessionId);
    }
    if (client.reapplyOptions) await this.options.reapply();
  }

  /** Sends `session/load`. Until the response, all updates are history; `to` selects the listeners that receive it. */
  async load(params: LoadSessionRequest, setup: SessionSetup, to: Replay, signal?: AbortSignal): Promise<void> {
    const { state } = this;
    state.replay = to;
    state.transcript.setReplay(typeof to === "function" ? "listeners" : to);
    // In `onResult`, because the message after the response may be an update or a request of the session.
    const onResult = (response: OpeningResponse): void => {
      this.opened("loaded", response, setup);
      this.#endReplay(response);
    };
    try {
      await state.peer.request("session/load", params, { ...(signal && { signal }), onResult });
    } catch (error) {
      this.#endReplay();
      throw error;
    }
  }

  /** Ends a replay. Without a response, the load has failed. */
  #endReplay(response?: OpeningResponse): void {
    this.state.replay = undefined;
    const notice = turnNoticeOf(response?._meta);
    const isJoined = response !== undefined && this.#isJoined(response._meta);
    this.state.transcript.setReplay(undefined, isJoined);
    if (isJoined) this.turns.join();
    else if (notice?.is === "idle") this.turns.endJoined(notice.outcome); // the history contains the end of the turn
  }

  /** Whether the agent runs a turn that this client did not start. `meta` is that of the opening response. */
  #isJoined(meta: OpeningResponse["_meta"]): boolean {
    const isRunning = turnNoticeOf(meta)?.is === "running" || this.turns.version?.isWorking === true;
    return isRunning && !this.turns.hasOwn;
  }

  /** Cancels the turns of the session, and accepts no others. */
  end(): void {
    this.turns.close();
    this.state.isClosed = true;
  }

  /** Removes the session from its client, and cancels its requests that wait for the user. */
  leave(): void {
    const { client, sessionId } = this.state;
    client.forget(sessionId);
    client.permissions.cancel("session_closed", sessionId);
    client.link.current.requests.close(sessionId);
  }

  async #close(): Promise<void> {
    const { peer, sessionId } = this.state;
    try {
      const alive = peer.connection.state === "open";
      if (alive && peer.offers("agentCapabilities.sessionCapabilities.close")) {
        await peer.request("session/close", { sessionId });
      }
    } catch (error) {
      if (!isNotFound(error)) throw error; // a session that the agent doesn't know needs no closing
    } finally {
      this.leave();
    }
  }
}

const promptKinds: OptionKinds<PromptOptions> = {
  signal: "value",
  idleTimeoutMs: "value",
  cancelTimeoutMs: "value",
  unsupportedBlocks: ["reject", "link"],
  meta: "value",
};
