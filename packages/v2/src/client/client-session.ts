import {
  type DeliverUpdate,
  type FinalText,
  isHeld,
  type LiveTurn,
  type VersionPrompt,
  type VersionSession,
  type VersionState,
  type VersionTurns,
} from "@acp-kit/client/internal";
import { CapabilityError, ConnectionError } from "@acp-kit/protocol";
import { after, onAbort } from "@acp-kit/protocol/internal";
import type { AvailableCommand, ContentBlock, PromptResponse, SessionModeState } from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { joinedText } from "../codec/content.js";
import { type WaitingPrompt, type WorkEnd, WorkPeriods } from "../session/work-periods.js";
import { BackgroundWork } from "./background-work.js";
import { OwnPrompt, outcomeOf } from "./own-prompt.js";
import { SessionReader } from "./session-reader.js";
import { TurnText } from "./turn-text.js";

/**
 * How long the agent may take to end cancelled work in milliseconds, before the requests are cancelled of which the
 * client can't know whether they belong to that work.
 */
const CANCEL_GRACE_MS = 1_000;

/** A session on a connection of version 2: states, prompts and background work. */
export class ClientSession implements VersionSession {
  readonly #state: VersionState;
  readonly #turns: VersionTurns;
  readonly #affected: Set<ClientSession>;
  readonly #work: WorkPeriods;
  readonly #background = new BackgroundWork();
  readonly #reader = new SessionReader(this.#background);
  /** The prompts that are not settled, in the order in which they were sent. */
  readonly #prompts = new Set<OwnPrompt>();
  /** The prompts that the agent has inserted and that are not settled, in that order. */
  readonly #inserted = new Set<OwnPrompt>();
  /** Whether the transcript contains a turn for the current work, because the agent does it without a prompt. */
  #isAgentTurn = false;
  /** The number of held prompts in the transcript. */
  #held = 0;
  #stopGrace: (() => void) | undefined;
  readonly #reported = new Set<string>();

  /** @param affected the sessions that the end of the connection changes. */
  constructor(state: VersionState, turns: VersionTurns, affected: Set<ClientSession>) {
    this.#state = state;
    this.#turns = turns;
    this.#affected = affected;
    this.#work = new WorkPeriods((rule) => this.#deviates(rule));
  }

  get isWorking(): boolean {
    return this.#work.isBusy && this.#state.peer.connection.state === "open";
  }

  /**
   * The prompt that was inserted last in the current work, or that waits for the next one. An agent that has reported
   * no user message yet may work on a prompt before it says so.
   */
  get owner(): LiveTurn | undefined {
    return this.#owner?.turn;
  }

  get #owner(): OwnPrompt | undefined {
    const { begun, isBusy, hasUserMessages, current } = this.#work;
    let owner: OwnPrompt | undefined;
    for (const prompt of this.#inserted)
      if (prompt.inserted !== undefined && prompt.inserted.work >= current && !prompt.isSettled) owner = prompt;
    if (owner !== undefined || !isBusy || hasUserMessages) return owner;
    for (const prompt of this.#prompts)
      if (prompt.inserted === undefined) return prompt.sentAfter < begun ? prompt : undefined;
    return undefined;
  }

  receive(update: unknown, size: number, deliver: DeliverUpdate): unknown {
    const received = update as v2.IncomingSessionUpdate;
    if (received.sessionUpdate === "state_update")
      return this.#onState(received as v2.IncomingStateUpdateSessionUpdate, size, deliver);
    if (received.sessionUpdate === "user_message" || received.sessionUpdate === "user_message_chunk")
      this.#userMessage(received as v2.IncomingUserMessage | v2.IncomingUserMessageChunkSessionUpdate);
    else if (this.#work.isBusy) this.#output();
    if (this.#reader.chunk(received)) return deliver(received, size);
    let result: unknown;
    const work = this.#work.isBusy ? this.#work.current : undefined;
    this.#reader.read(received, work, (each) => {
      result = both(result, deliver(each, size));
    });
    return result;
  }

  opened(response: object, deliver: DeliverUpdate): void {
    const { modes, availableCommands } = response as {
      readonly modes?: SessionModeState;
      readonly availableCommands?: AvailableCommand[];
    };
    this.#reader.opened(modes);
    if (availableCommands) void deliver({ sessionUpdate: "available_commands_update", availableCommands }, 0);
  }

  prompt(turn: LiveTurn, request: VersionPrompt): Promise<PromptResponse> {
    const own = new OwnPrompt(turn, request, this.#work.begun, {
      onBegun: (prompt) => this.#begun(prompt),
      onSettled: (prompt) => this.#settled(prompt),
    });
    turn.sent = own;
    this.#prompts.add(own);
    this.#track();
    const waiting = this.#work.sent({
      settle: (end) => own.settle(end),
      moved: (work) => this.#insert(own, own.inserted?.messageId, work, true),
    });
    onAbort(request.signal, () => {
      this.#work.rejected(waiting);
      own.withdraw();
      own.reject(request.signal.reason);
    });
    const { signal } = own;
    const onResult = (response: { readonly messageId?: unknown }): void => {
      const { messageId } = response;
      if (!own.isSettled) this.#responded(own, waiting, typeof messageId === "string" ? messageId : undefined);
    };
    this.#state.peer
      .request("session/prompt", request.params, { signal, onResult: onResult as never })
      .catch((error: unknown) => {
        this.#work.rejected(waiting);
        own.reject(error);
      });
    this.#turns.move(turn, "held");
    if (turn.phase === "withdrawn") own.withdraw(); // it was cancelled while it was being sent
    this.#changed();
    return own.response;
  }

  createText(): FinalText {
    return new TurnText();
  }

  async steer(prompt: ContentBlock[]): Promise<"injected" | "new_turn" | "no_turn"> {
    const { peer, sessionId } = this.#state;
    const { begun, isBusy } = this.#work;
    if (!isBusy) return "no_turn";
    let isInjected = false;
    // When the response arrives, the agent has inserted the prompt, into this work or into a later one.
    const onResult = (): void => {
      isInjected = this.#work.isBusy && this.#work.begun === begun;
    };
    await peer.request("session/prompt", { sessionId, prompt }, { onResult });
    return isInjected ? "injected" : "new_turn";
  }

  cancel(): void {
    const { peer, sessionId } = this.#state;
    void peer.notify("session/cancel", { sessionId });
    const work = this.#work.current;
    this.#state.cancelRequests((toolCallId) => this.#background.isForeground(toolCallId, work));
    const cancelled = this.#work.waiting;
    this.#stopGrace?.();
    this.#stopGrace = after(CANCEL_GRACE_MS, () => {
      this.#state.cancelRequests((toolCallId) => !this.continues(toolCallId));
      this.#work.cancelWaiting(cancelled);
    });
  }

  continues(toolCallId: string | undefined): boolean {
    return this.#background.continues(toolCallId);
  }

  canCancel(what: "tool_call" | "terminal", id: string): boolean {
    return this.#background.canCancel(what, id);
  }

  async cancelPart(what: "tool_call" | "terminal", id: string): Promise<void> {
    const { peer, sessionId } = this.#state;
    const method = `${what}/cancel`;
    if (!this.canCancel(what, id)) {
      const message = `${method}: the agent does not offer to cancel ${id}, or it has ended`;
      throw new CapabilityError(method, "capabilities.cancel", message);
    }
    const part = what === "tool_call" ? { toolCallId: id } : { terminalId: id };
    await peer.connection.request(method, { sessionId, ...part });
  }

  /** Rejects the prompts, because the connection has ended. What the agent did in the background is unknown. */
  lost(cause: ConnectionError): void {
    this.#stopGrace?.();
    if (this.#background.list !== undefined) this.#turns.background.set(undefined);
    const method = "session/prompt";
    for (const prompt of [...this.#prompts])
      prompt.reject(new ConnectionError(cause.code, `${method}: ${cause.message}`, { method, cause }));
  }

  #onState(update: v2.IncomingStateUpdateSessionUpdate, size: number, deliver: DeliverUpdate): unknown {
    const background = this.#background.listed(update.background as v2.IncomingBackgroundWork[] | null | undefined);
    if (background !== undefined) {
      this.#turns.background.set(background.list);
      this.#track();
    }
    if (update.state !== "idle") {
      this.#work.state(update);
      this.#turns.refresh();
      return deliver(update as never, size);
    }
    // The turn ends when its listeners have the last update, and before later messages.
    const result = deliver(update as never, size);
    const end = (): void => this.#idle(update as WorkEnd & v2.IncomingStateUpdateSessionUpdate);
    if (result === undefined) end();
    return result === undefined ? undefined : Promise.resolve(result).finally(end);
  }

  #idle(update: WorkEnd & v2.IncomingStateUpdateSessionUpdate): void {
    const wasBusy = this.#work.isBusy;
    if (wasBusy) this.#stopGrace?.();
    this.#work.state(update);
    this.#turns.refresh();
    if (!wasBusy) return;
    const outcome = outcomeOf(update);
    this.#turns.endJoined(outcome);
    if (!this.#isAgentTurn) return;
    this.#isAgentTurn = false;
    const end = "error" in outcome ? { error: outcome.error } : { stopReason: outcome.response.stopReason };
    this.#state.transcript.apply({ type: "turn_ended", joined: true, ...end });
  }

  /**
   * Called for output of work. If the agent works on a prompt of which it has not said so, this prompt begins. If it
   * works without a prompt, the transcript gets a turn for this work.
   */
  #output(): void {
    const owner = this.#owner;
    if (owner !== undefined && owner.inserted === undefined) this.#insert(owner, undefined, this.#work.current, false);
    if (this.#isAgentTurn || owner !== undefined) return;
    this.#isAgentTurn = true;
    this.#state.transcript.apply({ type: "turn_joined", origin: "agent" });
  }

  /**
   * A user message whose text is that of a prompt without response is this prompt. Agents and proxies may add text to
   * the only such prompt.
   */
  #userMessage(update: v2.IncomingUserMessage | v2.IncomingUserMessageChunkSessionUpdate): void {
    const { messageId, content } = update;
    const work = this.#work.current;
    this.#work.userMessage(messageId);
    const isChunk = !Array.isArray(content);
    const text = joinedText(isChunk ? [content as v2.IncomingContentBlock].filter(Boolean) : content);
    const prompts = [...this.#prompts];
    if (prompts.some(({ inserted }) => inserted?.messageId === messageId)) return;
    const open = prompts.filter(({ inserted }) => inserted?.messageId === undefined);
    const equal = (prompt: OwnPrompt): boolean =>
      isChunk ? text !== "" && prompt.text.startsWith(text) : prompt.text === text;
    const extended = ({ text: sent }: OwnPrompt): boolean => open.length === 1 && sent !== "" && text.includes(sent);
    const prompt = open.find(equal) ?? open.find(extended);
    if (prompt !== undefined) this.#insert(prompt, messageId, work, true);
  }

  #responded(own: OwnPrompt, waiting: WaitingPrompt, messageId: string | undefined): void {
    const echo = own.inserted?.messageId;
    if (echo !== undefined && messageId !== undefined && echo !== messageId) {
      const message = "The agent reported a user message with the text of a prompt, but the prompt has another id";
      this.#state.peer.report({ code: "wrong_echo", message, data: { reported: echo, messageId } });
    }
    this.#insert(own, messageId, own.inserted?.work ?? this.#work.current, true); // before it can settle
    const work = this.#work.inserted(waiting, messageId);
    if (!own.isSettled) this.#insert(own, messageId, work, true);
  }

  #insert(prompt: OwnPrompt, messageId: string | undefined, work: number, isCertain: boolean): void {
    this.#inserted.add(prompt);
    prompt.insert(messageId, work, isCertain);
    this.#turns.refresh();
  }

  /** The agent works on the prompt, or has added it to the conversation. */
  #begun({ turn, inserted }: OwnPrompt): void {
    const { messageId } = inserted ?? {};
    turn.hasBegun = true;
    this.#turns.begin(turn);
    turn.clock.start();
    this.#turns.logPrompt(turn, messageId === undefined ? {} : { messageId });
    this.#changed();
  }

  #settled(prompt: OwnPrompt): void {
    this.#prompts.delete(prompt);
    this.#inserted.delete(prompt);
    this.#track();
    this.#changed();
  }

  /** Notes whether the end of the connection changes this session. Other sessions are not kept in memory. */
  #track(): void {
    if (this.#prompts.size > 0 || this.#background.list !== undefined) this.#affected.add(this);
    else this.#affected.delete(this);
  }

  #changed(): void {
    const held = [...this.#prompts].filter(({ turn }) => isHeld(turn.phase));
    const prompts = held.map(({ turn }) => turn.prompt);
    const { length } = prompts;
    if (length > 0 || this.#held > 0) this.#state.transcript.apply({ type: "prompts_sending", prompts });
    this.#held = length;
    this.#turns.refresh();
  }

  #deviates(rule: string): void {
    if (this.#reported.has(rule)) return;
    this.#reported.add(rule);
    const message = `The agent deviates from the specification of version 2: the compatibility rule "${rule}" was applied`;
    this.#state.peer.report({ code: "dialect", message, method: "session/prompt", data: { rule } });
  }
}

/** Waits for both results. Listeners return promises rarely, so most results are `undefined`. */
function both(first: unknown, second: unknown): unknown {
  if (first === undefined) return second;
  return second === undefined ? first : Promise.all([first, second]);
}
