import type { SessionModeState, IncomingSessionUpdate as V1Update } from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { toolCallToApi, toolContentToApi } from "../codec/api-tool-call.js";
import { commandsToV1 } from "../codec/commands.js";
import { modeOptionOf } from "../codec/modes.js";
import type { BackgroundWork } from "./background-work.js";
import { optionsToApi } from "./config-options.js";
import { Messages } from "./messages.js";

/** Receives an update in the form that applications use. */
export type Emit = (update: V1Update) => void;

/** A chunk of a message. */
type V1Chunk = Extract<V1Update, { sessionUpdate: `${string}_chunk` }>;

/** An update that is not about states and user messages. */
type ContentUpdate = Exclude<v2.KnownSessionUpdate, { sessionUpdate: "state_update" }>;

const chunkOf = {
  user_message: "user_message_chunk",
  agent_message: "agent_message_chunk",
  agent_thought: "agent_thought_chunk",
} as const;

/**
 * Reads the updates of one session: converts them to the form that applications use in both versions. It is that of
 * version 1, with the updates that only version 2 has.
 */
export class SessionReader {
  readonly #work: BackgroundWork;
  readonly #messages = new Messages();
  #cost: v2.Cost | null | undefined;
  #modeId: string | undefined;

  constructor(work: BackgroundWork) {
    this.#work = work;
  }

  /** Notes the mode in the response that has opened the session. */
  opened(modes: SessionModeState | null | undefined): void {
    this.#modeId = modes?.currentModeId;
  }

  /**
   * Passes what an update means to `emit`.
   *
   * @param work the work of the session; `undefined` outside work.
   */
  read(update: v2.IncomingSessionUpdate, work: number | undefined, emit: Emit): void {
    if (this.chunk(update)) emit(update);
    else this.#read(update as ContentUpdate, work, emit);
  }

  /** Returns whether an update is a chunk of a message, which has the same form in both versions, and notes it. */
  chunk(update: v2.IncomingSessionUpdate | V1Chunk): update is V1Chunk {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
      case "agent_thought_chunk":
      case "user_message_chunk":
        this.#messages.chunk(update.sessionUpdate, update.messageId as string);
        return true;
      default:
        return false;
    }
  }

  #read(update: ContentUpdate, work: number | undefined, emit: Emit): void {
    switch (update.sessionUpdate) {
      case "user_message":
      case "agent_message":
      case "agent_thought":
        this.#message(update, emit);
        break;
      case "tool_call_update":
        this.#toolCall(update, work, emit);
        break;
      case "tool_call_content_chunk":
        if (!this.#work.has(update.toolCallId)) {
          const { toolCallId } = update;
          this.#toolCall({ sessionUpdate: "tool_call_update", toolCallId }, work, emit);
        }
        this.#work.content(update.toolCallId, update.content);
        for (const content of toolContentToApi(update.content)) emit({ ...update, content } as unknown as V1Update);
        break;
      case "terminal_update":
        this.#work.terminal(update);
        emit(update as unknown as V1Update);
        break;
      case "available_commands_update":
        emit({ ...update, availableCommands: commandsToV1(update.availableCommands, () => {}) });
        break;
      case "config_option_update":
        this.#options(update, emit);
        break;
      case "usage_update":
        this.#usage(update, emit);
        break;
      default:
        emit(update as unknown as V1Update);
    }
  }

  #message(update: Extract<ContentUpdate, { sessionUpdate: keyof typeof chunkOf }>, emit: Emit): void {
    const { sessionUpdate, messageId, content, _meta } = update;
    const blocks = this.#messages.added(chunkOf[sessionUpdate], messageId, content);
    // A user message replaces the prompt as the client has sent it
    if (blocks === undefined || blocks.length === 0 || sessionUpdate === "user_message") {
      emit(update as unknown as V1Update);
      return;
    }
    for (const [index, block] of blocks.entries()) {
      const meta = index === 0 && _meta && { _meta };
      emit({ sessionUpdate: chunkOf[sessionUpdate], messageId, content: block, ...meta } as V1Update);
    }
  }

  /** The first update of a tool call announces it. */
  #toolCall(update: v2.IncomingToolCallUpdateSessionUpdate, work: number | undefined, emit: Emit): void {
    const isKnown = this.#work.has(update.toolCallId);
    this.#work.toolCall(update, work);
    const call = toolCallToApi(update);
    emit((isKnown ? call : { title: "", ...call, sessionUpdate: "tool_call" }) as V1Update);
  }

  /** The mode of version 1 is an option of version 2. Applications get both. */
  #options(update: v2.IncomingConfigOptionUpdateSessionUpdate, emit: Emit): void {
    emit({ ...update, configOptions: optionsToApi(update.configOptions) });
    const currentModeId = modeOptionOf(update.configOptions)?.modes.currentModeId as string | undefined;
    if (currentModeId === undefined || currentModeId === this.#modeId) return;
    this.#modeId = currentModeId;
    emit({ sessionUpdate: "current_mode_update", currentModeId });
  }

  /** In version 2 an absent cost is unchanged, and `null` clears it. */
  #usage({ cost, ...update }: v2.UsageUpdateSessionUpdate, emit: Emit): void {
    if (cost !== undefined) this.#cost = cost;
    emit({ ...update, ...(this.#cost && { cost: this.#cost }) });
  }
}
