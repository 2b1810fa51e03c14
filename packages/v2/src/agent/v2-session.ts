import type { AgentPeer, OwnTerminal, PromptResult, ToolCallHandle, Turn } from "@acp-kit/agent";
import type {
  AgentPort,
  OwnTerminalInit,
  SessionPort,
  VersionedSession,
  VersionedUpdate,
} from "@acp-kit/agent/internal";
import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import type { Lost } from "../codec/loss.js";
import { planUpdate } from "../codec/plan.js";
import { isFinal } from "../codec/tool-call.js";
import { toolContentToV2 } from "../codec/tool-content.js";
import { MessageIds } from "../session/message-ids.js";
import { UpdatesToV2 } from "../session/updates-to-v2.js";
import type { BackgroundWork } from "./background-work.js";
import { JoinedWork, type Work } from "./joined-work.js";
import { V2OwnTerminal } from "./own-terminal.js";
import { PromptInsertion } from "./prompt-insertion.js";
import { WorkStates } from "./work-states.js";

/** A session of a connection of version 2. */
export class V2Session implements VersionedSession {
  readonly protocolVersion: number = 2;
  /** Converts updates, and holds the options of the session in the form of version 2. */
  readonly updates: UpdatesToV2;
  readonly background: BackgroundWork;
  readonly insertion: PromptInsertion;
  readonly #session: SessionPort;
  readonly #peer: AgentPeer;
  readonly #states: WorkStates;
  readonly #joined: JoinedWork;
  readonly #lost: Lost;
  /** The content of the tool calls that are not final, as last sent. */
  readonly #contents = new Map<string, readonly v1.ToolCallContent[]>();
  /** The ids of chunks that the agent sends without one, and of the messages of prompts. */
  readonly #ids = new MessageIds();
  /** The result of sending the last update: a promise while the client reads slowly. */
  #room: Promise<void> | undefined;
  /** Whether to drop the updates of a replay that the client has not requested. */
  isDiscarding = false;
  /** Whether the client is resuming the session. */
  isResuming = false;
  /** Whether the client closes the session, so that it accepts no prompts. */
  isClosing = false;

  /** @param works receives the work of the session while it runs. */
  constructor(
    session: SessionPort,
    agent: AgentPort,
    background: BackgroundWork,
    works: Set<Promise<unknown>>,
    lost: Lost,
  ) {
    this.background = background;
    this.#session = session;
    this.#peer = agent.peer;
    this.#lost = lost;
    this.#joined = new JoinedWork(agent, session.sessionId);
    this.updates = new UpdatesToV2(lost, (update) => this.#post(update), true);
    this.#states = new WorkStates(
      (state) => {
        // While the client resumes the session, one report follows the history
        if (!this.isResuming) this.#post({ ...state, sessionUpdate: "state_update" } as v2.SessionUpdate);
      },
      () => this.background.list(),
    );
    this.insertion = new PromptInsertion(this.#states, works, {
      nextId: () => this.#ids.next(),
      insert: (messageId, content) => {
        this.#ids.endMessage();
        this.#post({ sessionUpdate: "user_message", messageId, content });
      },
    });
  }

  work(work: Work): Promise<v1.PromptResponse> {
    return this.#joined.run(work, (request, start) =>
      this.insertion.work(request, (context) => start(request, context)),
    );
  }

  play(turn: Turn, handler: () => Promise<PromptResult>): Promise<PromptResult> {
    // A prompt that the handler takes becomes part of the conversation before the handler sends something for it
    const onPrompt = turn.onPrompt.bind(turn);
    turn.onPrompt = (listener) =>
      onPrompt((request) => {
        this.insertion.merge(request);
        listener(request);
      });
    return this.#joined.play(turn, () => this.insertion.play(turn.request, handler));
  }

  identify(update: VersionedUpdate): VersionedUpdate {
    this.insertion.insertStarted();
    switch (update.sessionUpdate) {
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const messageId = this.#ids.ofChunk(update.sessionUpdate, update.messageId);
        return update.messageId === messageId ? update : withMessageId(update, messageId);
      }
      case "tool_call":
      case "tool_call_update":
      case "user_message":
      case "agent_message":
      case "agent_thought":
        this.#ids.endMessage();
        return update;
      default:
        return update;
    }
  }

  send(update: VersionedUpdate): Promise<void> | undefined {
    if (this.isDiscarding) return undefined;
    switch (update.sessionUpdate) {
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk":
        // Plain text, the most frequent content by far, has the same form in both versions
        if (update.content.type === "text" && update.content.annotations == null)
          this.#post(update as v2.SessionUpdate);
        else this.updates.update(update);
        break;
      case "tool_call":
      case "tool_call_update":
        this.#sendToolCall(update);
        break;
      case "terminal_update":
        this.#post(update);
        if (update.exitStatus != null && this.background.terminalExited(update.terminalId))
          this.#states.reportCurrent();
        break;
      case "user_message":
      case "agent_message":
      case "agent_thought":
      case "tool_call_content_chunk":
      case "terminal_output_chunk":
      case "plan_update":
        this.#post(update);
        break;
      default:
        this.updates.update(update);
    }
    return this.#room;
  }

  request: AgentPeer["request"] = (method, params, options) => {
    this.insertion.insertStarted();
    const request = params as { toolCallId?: string; toolCall?: v1.ToolCallUpdate; options?: unknown[] };
    const { toolCall, toolCallId = toolCall?.toolCallId } = request;
    // Version 2 has no permission requests without options, because the user could only cancel them
    if (request.options?.length === 0) return Promise.resolve({ outcome: { outcome: "cancelled" } } as never);
    const title = toolCall && this.updates.titleOf(toolCall.toolCallId);
    const sent = toolCall && title ? { ...params, toolCall: { title, ...toolCall } } : params;
    // Only the requests of a turn have a signal: others are not part of the work.
    const answered = options?.signal === undefined ? () => {} : this.#states.ask(toolCallId);
    const response = this.#peer.request(method, sent, options);
    response.then(answered, answered);
    return response;
  };

  detach(call: ToolCallHandle, cancel: (() => void) | undefined): void {
    const toolCallId = call.id;
    // After the update that announces the call
    this.#session.afterUpdates(() => {
      if (call.ended) return;
      this.background.add(toolCallId, cancel);
      this.#states.withoutToolCall(toolCallId);
      if (cancel !== undefined) this.#advertise(toolCallId, { cancel: {} });
      this.#states.reportCurrent();
    });
  }

  openTerminal(
    call: ToolCallHandle,
    init: OwnTerminalInit,
    send: (update: VersionedUpdate) => Promise<void> | undefined,
  ): OwnTerminal {
    const { terminalId = `terminal_${crypto.randomUUID()}` } = init;
    const terminal = new V2OwnTerminal(call, init, terminalId, send);
    this.#session.afterUpdates(() => {
      if (!this.background.terminalOpened({ terminalId, toolCallId: call.id })) return;
      if (this.background.isCancellable(call.id)) this.#advertise(call.id, { cancel: {} });
      this.#states.reportCurrent();
    });
    return terminal;
  }

  replacement(
    of: "agent_message_chunk" | "agent_thought_chunk",
    messageId: string,
    content: v1.ContentBlock,
  ): VersionedUpdate {
    const sessionUpdate = of === "agent_message_chunk" ? "agent_message" : "agent_thought";
    return { sessionUpdate, messageId, content: [content as v2.ContentBlock] };
  }

  plan(planId: string, entries: v1.PlanEntry[]): VersionedUpdate {
    return planUpdate(planId, entries);
  }

  messageIdOf(request: v1.IncomingPromptRequest): string | undefined {
    return this.insertion.messageIdOf(request);
  }

  holdUntil(stored: Promise<unknown>): void {
    this.insertion.holdUntil(stored);
  }

  follow(turn: Promise<v1.PromptResponse>): void {
    this.#states.begin();
    turn.then(
      (response) => this.#states.end(response),
      () => this.#states.end({ stopReason: "error" }),
    );
  }

  /** Reports the current state, which precedes the response to `session/resume`. */
  reportState(): void {
    this.#states.reportCurrent();
  }

  close(): void {
    this.background.cancelAll();
  }

  #sendToolCall(update: Extract<VersionedUpdate, { sessionUpdate: "tool_call" | "tool_call_update" }>): void {
    const { toolCallId, status } = update;
    this.#sendGrowth(update);
    if (status == null) return;
    if (isFinal(status)) {
      this.#contents.delete(toolCallId);
      this.#states.withoutToolCall(toolCallId);
      if (this.background.ended(toolCallId)) this.#states.reportCurrent();
    } else if (!this.background.has(toolCallId)) this.#states.toolCall(toolCallId, status);
  }

  /** Sends an update of a tool call. If its content only has more items than before, these are sent alone. */
  #sendGrowth(update: Extract<VersionedUpdate, { sessionUpdate: "tool_call" | "tool_call_update" }>): void {
    const { toolCallId, sessionUpdate } = update;
    const content = update.content ?? (sessionUpdate === "tool_call" ? [] : undefined);
    const before = this.#contents.get(toolCallId);
    if (content !== undefined) this.#contents.set(toolCallId, content);
    if (sessionUpdate === "tool_call" || content === undefined || !isPrefix(before, content)) {
      this.updates.update(update);
      return;
    }
    for (const item of toolContentToV2(content.slice(before?.length), this.#lost, true))
      this.#post({ sessionUpdate: "tool_call_content_chunk", toolCallId, content: item });
    const { content: _, ...rest } = update;
    if (Object.keys(rest).length > 2) this.updates.update(rest as v1.SessionUpdate);
  }

  #advertise(toolCallId: string, capabilities: v2.ToolCallCapabilities): void {
    this.#post({ sessionUpdate: "tool_call_update", toolCallId, capabilities });
    const terminalId = this.background.terminalOf(toolCallId);
    if (terminalId !== undefined) this.#post({ sessionUpdate: "terminal_update", terminalId, capabilities });
  }

  #post(update: v2.SessionUpdate): void {
    const params = { sessionId: this.#session.sessionId, update };
    this.#room = this.#peer.notify("session/update", params as never);
  }
}

type Chunk = Extract<VersionedUpdate, { sessionUpdate: `${string}_message_chunk` | "agent_thought_chunk" }>;

/** Returns a chunk with its id. Most chunks have no other members: a literal is faster than a spread. */
function withMessageId(update: Chunk, messageId: string): VersionedUpdate {
  const { sessionUpdate, content } = update;
  const identified = { sessionUpdate, content, messageId };
  for (const name in update) if (!(name in identified)) return { ...update, messageId };
  return identified;
}

function isPrefix(before: readonly unknown[] | undefined, items: readonly unknown[]): boolean {
  return before !== undefined && before.length <= items.length && before.every((item, at) => item === items[at]);
}
