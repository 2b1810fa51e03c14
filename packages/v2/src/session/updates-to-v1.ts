import { invalidParams } from "@acp-kit/protocol";
import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { isKnownPlanUpdateContent, isKnownSessionUpdate } from "@acp-kit/types/v2";
import { commandsToV1 } from "../codec/commands.js";
import { configOptionsToV1 } from "../codec/config-options.js";
import { contentToV1 } from "../codec/content.js";
import type { Lost } from "../codec/loss.js";
import { type ModeOption, modeOptionOf } from "../codec/modes.js";
import { present } from "../codec/objects.js";
import { planEntriesToV1 } from "../codec/plan.js";
import { MessageContents } from "./message-contents.js";
import { ShownToolCalls, type Timer } from "./shown-tool-calls.js";

/** What a client of version 1 can show. */
export interface ShownKinds {
  readonly booleans: boolean;
  readonly notices: boolean;
  readonly compactions: boolean;
}

/** Returns what a client of version 1 can show, according to its capabilities. */
export function shownKindsOf({ session }: v1.ClientCapabilities): ShownKinds {
  return {
    booleans: !!session?.configOptions?.boolean,
    notices: !!session?.notices,
    compactions: !!session?.compaction,
  };
}

/** Options of {@link UpdatesToV1}. */
export interface UpdatesToV1Options {
  readonly shown: ShownKinds;
  readonly lost: Lost;
  /** Whether to refuse permission requests that can't be converted without loss. */
  readonly isStrict?: boolean;
  /** Receives the converted updates, in order. */
  readonly send: (update: v1.SessionUpdate, size?: number) => void;
  /** Runs a function after a time. The default is the timer of the platform. */
  readonly timer?: Timer;
}

/** Converts the updates and settings of one session from version 2 to version 1. */
export class UpdatesToV1 {
  readonly #shown: ShownKinds;
  readonly #lost: Lost;
  readonly #isStrict: boolean;
  readonly #send: (update: v1.SessionUpdate, size?: number) => void;
  readonly #timer: Timer | undefined;
  #contents: MessageContents;
  #calls: ShownToolCalls;
  #mode: ModeOption | undefined;
  #cost: v2.Cost | null | undefined;
  #planId: string | undefined;
  #permissions = 0;

  constructor({ shown, lost, isStrict = false, send, timer }: UpdatesToV1Options) {
    this.#shown = shown;
    this.#lost = lost;
    this.#isStrict = isStrict;
    this.#send = send;
    this.#timer = timer;
    this.#contents = new MessageContents(lost);
    this.#calls = this.#newCalls();
  }

  /** Forgets the messages and tool calls, because the agent replays the session. */
  replay(): void {
    this.close();
    this.#contents = new MessageContents(this.#lost);
    this.#calls = this.#newCalls();
  }

  /** The option that takes the place of the modes, if there is one. */
  get mode(): ModeOption | undefined {
    return this.#mode;
  }

  /** Sends the content of tool calls that was collected. */
  flush(): void {
    this.#calls.flush();
  }

  /** Stops the timer. */
  close(): void {
    this.#calls.close();
  }

  /** Takes the options of a result or an update, and returns them for the client. */
  options(options: readonly v2.IncomingSessionConfigOption[]): v1.SessionConfigOption[] {
    this.#mode = modeOptionOf(options);
    return configOptionsToV1(options, this.#shown, this.#lost);
  }

  /** The members of a result that opens a session. */
  opened(result: v2.IncomingResumeSessionResponse): v1.ResumeSessionResponse {
    const { configOptions, availableCommands: _, ...rest } = result;
    if (configOptions === undefined) return rest;
    const options = this.options(configOptions);
    return { ...rest, ...(this.#mode && { modes: this.#mode.modes }), configOptions: options };
  }

  /** Sends the commands of a result that opens a session: in version 1 they are an update. */
  commands(commands: readonly v2.IncomingAvailableCommand[] | undefined): void {
    if (commands === undefined) return;
    const availableCommands = commandsToV1(commands, this.#lost);
    this.#send({ sessionUpdate: "available_commands_update", availableCommands });
  }

  /** Converts a permission request. The client must get a tool call, so one is made for a request without. */
  permission(params: v2.IncomingRequestPermissionRequest): v1.ToolCallUpdate {
    const { title, description, subject } = params;
    const details: v1.ToolCallContent[] = description
      ? [{ type: "content", content: { type: "text", text: description } }]
      : [];
    if (subject?.type === "tool_call") {
      const { toolCall } = subject as v2.IncomingToolCallRequestPermissionSubject;
      const converted = this.#calls.subject(toolCall);
      if (!converted.title && !this.#calls.titleOf(toolCall.toolCallId)) converted.title = title;
      if (details.length === 0) return converted;
      return {
        ...converted,
        content: [...(converted.content ?? this.#calls.contentOf(toolCall.toolCallId)), ...details],
      };
    }
    if (this.#isStrict) throw invalidParams("The subject of the permission request can't be converted to version 1");
    this.#lost("permission");
    this.#permissions += 1;
    const { command, cwd, toolCallId } = (
      subject?.type === "command" ? subject : {}
    ) as Partial<v2.CommandPermissionSubject>;
    return {
      toolCallId: toolCallId ?? `_acp-kit_permission_${this.#permissions}`,
      title,
      ...(command !== undefined && { kind: "execute" as const, rawInput: { command, cwd } }),
      ...(details.length > 0 && { content: details }),
    };
  }

  /** Converts and sends an update. Unknown updates are passed unchanged; states are not updates of version 1. */
  update(update: v2.IncomingSessionUpdate, size = 0): void {
    if (!isKnownSessionUpdate(update)) {
      this.#send(update as never, size);
      return;
    }
    const lost = this.#lost;
    switch (update.sessionUpdate) {
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk":
        this.#contents.chunk(update.sessionUpdate, update.messageId, update.content);
        this.#send({ ...update, content: contentToV1(update.content, lost) } as v1.SessionUpdate, size);
        return;
      case "user_message":
        this.#message("user_message_chunk", update);
        return;
      case "agent_message":
        this.#message("agent_message_chunk", update);
        return;
      case "agent_thought":
        this.#message("agent_thought_chunk", update);
        return;
      case "state_update":
        this.#calls.flush();
        return;
      case "tool_call_update": {
        const { sessionUpdate: _, ...call } = update;
        this.#calls.update(call);
        return;
      }
      case "tool_call_content_chunk":
        this.#calls.chunk(update);
        return;
      case "terminal_update":
        this.#calls.terminalUpdate(update);
        return;
      case "terminal_output_chunk":
        this.#calls.terminalOutput(update);
        return;
      case "plan_update":
        this.#plan(update);
        return;
      case "available_commands_update":
        this.#send({ ...update, availableCommands: commandsToV1(update.availableCommands, lost) });
        return;
      case "config_option_update": {
        const before = this.#mode?.modes.currentModeId;
        this.#send({ ...update, configOptions: this.options(update.configOptions) });
        this.modeChanged(before);
        return;
      }
      case "usage_update":
        this.#usage(update);
        return;
      case "notice":
        this.#shown.notices ? this.#send(update) : lost("notice");
        return;
      case "compaction_update":
      case "compaction_summary_chunk":
        this.#compaction(update);
        return;
      case "session_info_update":
        this.#send(update);
        return;
    }
  }

  #message(
    kind: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk",
    update: v2.IncomingAgentMessage,
  ): void {
    const { messageId, content, _meta } = update;
    const lost = this.#lost;
    for (const block of this.#contents.whole(kind, messageId, content))
      this.#send({ sessionUpdate: kind, messageId, content: contentToV1(block, lost), ...present({ _meta }) });
  }

  /** Version 1 has one plan, so the latest one is shown. Plans that are not lists of entries are left out. */
  #plan({ plan, _meta }: v2.IncomingPlanUpdate): void {
    const lost = this.#lost;
    if (!isKnownPlanUpdateContent(plan)) {
      lost("plan");
      return;
    }
    if (this.#planId !== undefined && this.#planId !== plan.planId) lost("plan");
    this.#planId = plan.planId;
    this.#send({ sessionUpdate: "plan", entries: planEntriesToV1(plan.entries, lost), ...present({ _meta }) });
  }

  /** In version 2 an absent cost is unchanged, and `null` clears it. */
  #usage({ cost, ...update }: v2.UsageUpdateSessionUpdate): void {
    if (cost !== undefined) this.#cost = cost;
    this.#send({ ...update, ...(this.#cost && { cost: this.#cost }) });
  }

  #compaction(update: v2.IncomingCompactionUpdateSessionUpdate | v2.IncomingCompactionSummaryChunkSessionUpdate): void {
    const lost = this.#lost;
    if (!this.#shown.compactions) {
      lost("compaction");
      return;
    }
    if (update.sessionUpdate === "compaction_summary_chunk") {
      this.#send({ ...update, content: contentToV1(update.content, lost) } as v1.SessionUpdate);
      return;
    }
    const summary = update.summary?.map((block) => contentToV1(block, lost));
    this.#send({ ...update, ...(summary && { summary }) } as v1.SessionUpdate);
  }

  /** The client has got the response to its change of the mode, and shows it, even if a later one was sent before. */
  modeSet(currentModeId: v1.SessionModeId): void {
    if (this.#mode !== undefined) this.#mode = { ...this.#mode, modes: { ...this.#mode.modes, currentModeId } };
  }

  /** Sends the mode, if it is not `before`: in version 1 it is an update of its own. */
  modeChanged(before: string | undefined): void {
    const currentModeId = this.#mode?.modes.currentModeId;
    if (before === undefined || currentModeId === undefined || before === currentModeId) return;
    this.#send({ sessionUpdate: "current_mode_update", currentModeId });
  }

  #newCalls(): ShownToolCalls {
    const timer = this.#timer;
    return new ShownToolCalls({ send: this.#send, lost: this.#lost, ...(timer && { timer }) });
  }
}
