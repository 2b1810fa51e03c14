import type * as v1 from "@acp-kit/types";
import { isKnownSessionUpdate } from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { commandsToV2 } from "../codec/commands.js";
import { configOptionsToV2 } from "../codec/config-options.js";
import { contentToV2 } from "../codec/content.js";
import type { Lost } from "../codec/loss.js";
import { modeOptionOf, optionOfModes } from "../codec/modes.js";
import { present } from "../codec/objects.js";
import { permissionTitle } from "../codec/permission.js";
import { mainPlan, planUpdate } from "../codec/plan.js";
import { sessionInfoToV2 } from "../codec/session-info.js";
import { toolCallToV2 } from "../codec/tool-call.js";
import { takeTerminals } from "./agent-terminals.js";
import { BoundedMap } from "./bounded-map.js";
import { MessageIds } from "./message-ids.js";

/** The number of titles of tool calls that are remembered, for permission requests. */
const MAX_TITLES = 1_000;

/** Converts the updates and settings of one session from version 1 to version 2. */
export class UpdatesToV2 {
  readonly ids: MessageIds;
  readonly #lost: Lost;
  readonly #send: (update: v2.SessionUpdate, size?: number) => void;
  readonly #isOwn: boolean;
  readonly #titles = new BoundedMap<string, string>(MAX_TITLES);
  #options: v2.SessionConfigOption[] = [];
  /** The id of the option that takes the place of the agent's modes. */
  #modeOption: string | undefined;

  /**
   * @param send receives the converted updates, in order.
   * @param isOwn whether this process has created the updates.
   * @param ids gives messages without an id one.
   */
  constructor(
    lost: Lost,
    send: (update: v2.SessionUpdate, size?: number) => void,
    isOwn = false,
    ids: MessageIds = new MessageIds(),
  ) {
    this.#lost = lost;
    this.#isOwn = isOwn;
    this.ids = ids;
    this.#send = send;
  }

  /** Converts and sends an update. Unknown updates are passed unchanged. */
  update(update: v1.IncomingSessionUpdate, size?: number): void {
    const send = this.#send;
    const lost = this.#lost;
    if (!isKnownSessionUpdate(update)) {
      send(update as never, size);
      return;
    }
    switch (update.sessionUpdate) {
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const messageId = this.ids.ofChunk(update.sessionUpdate, update.messageId);
        send({ ...update, messageId, content: contentToV2(update.content, lost) } as v2.SessionUpdate, size);
        return;
      }
      case "tool_call":
      case "tool_call_update": {
        const { sessionUpdate: _, ...call } = update;
        this.ids.endMessage();
        send({ ...this.#toolCall(call), sessionUpdate: "tool_call_update" }, size);
        return;
      }
      case "plan": {
        const { entries, ...rest } = update;
        send({ ...rest, ...planUpdate(mainPlan, entries) });
        return;
      }
      case "current_mode_update":
        if (this.setMode(update.currentModeId))
          send({
            sessionUpdate: "config_option_update",
            configOptions: this.#options,
            ...present({ _meta: update._meta }),
          });
        return;
      case "config_option_update":
        send({ ...update, configOptions: this.withOptions(update.configOptions) });
        return;
      case "available_commands_update":
        send({ ...update, availableCommands: commandsToV2(update.availableCommands) });
        return;
      case "session_info_update":
        send(sessionInfoToV2(update));
        return;
      case "compaction_update": {
        const summary = update.summary?.map((block) => contentToV2(block, lost));
        send({ ...update, ...(summary && { summary }) } as v2.SessionUpdate);
        return;
      }
      case "compaction_summary_chunk":
        send({ ...update, content: contentToV2(update.content, lost) } as v2.SessionUpdate);
        return;
      case "usage_update":
      case "notice":
        send(update);
        return;
    }
  }

  /** The title that the agent has sent for a tool call. */
  titleOf(toolCallId: string): string | undefined {
    return this.#titles.get(toolCallId);
  }

  /** The members of a permission request that take the place of its tool call. */
  permission(toolCall: v1.IncomingToolCallUpdate): Pick<v2.RequestPermissionRequest, "title" | "subject"> {
    const title = permissionTitle(toolCall, this.#titles.get(toolCall.toolCallId));
    return { title, subject: { type: "tool_call", toolCall: this.#toolCall(toolCall) } };
  }

  /** Takes the modes and options of a result that opens a session, and returns the result in the form of version 2. */
  opened(result: v1.IncomingResumeSessionResponse): v2.ResumeSessionResponse {
    const { modes, configOptions, ...rest } = result;
    const options = configOptionsToV2(configOptions ?? [], this.#lost);
    const mode = optionOfModes(modes, options as v2.IncomingSessionConfigOption[]);
    this.#modeOption = mode?.configId;
    this.#options = mode === undefined ? options : [mode, ...options];
    return { ...rest, ...(this.#options.length > 0 && { configOptions: this.#options }) };
  }

  /** Sends the options as last converted. */
  sendOptions(): void {
    this.#send({ sessionUpdate: "config_option_update", configOptions: this.#options });
  }

  /** The options as last converted. */
  get options(): v2.SessionConfigOption[] {
    return this.#options;
  }

  /** The id of the option that takes the place of the agent's modes, if there is one. */
  get modeOption(): string | undefined {
    return this.#modeOption;
  }

  hasMode(value: unknown): boolean {
    const mode = modeOptionOf(this.#options as v2.IncomingSessionConfigOption[]);
    return mode?.modes.availableModes.some(({ id }) => id === value) ?? false;
  }

  /** Sets the value of the mode's option. Returns whether it has changed. */
  setMode(value: string): boolean {
    const mode = modeOptionOf(this.#options as v2.IncomingSessionConfigOption[]);
    if (mode === undefined || mode.modes.currentModeId === value || !this.hasMode(value)) return false;
    this.#options = this.#options.map((option) =>
      option.configId === mode.configId ? ({ ...option, currentValue: value } as v2.SelectSessionConfigOption) : option,
    );
    return true;
  }

  /** Converts the options of the agent, and adds the option that takes the place of its modes. */
  withOptions(options: readonly v1.IncomingSessionConfigOption[]): v2.SessionConfigOption[] {
    const mode = this.#options.find(({ configId }) => configId === this.#modeOption);
    const converted = configOptionsToV2(options, this.#lost);
    this.#options = mode === undefined ? converted : [mode, ...converted];
    return this.#options;
  }

  /** Converts a tool call. What its `_meta` says about terminals becomes updates of their own. */
  #toolCall(call: v1.IncomingToolCall | v1.IncomingToolCallUpdate): v2.ToolCallUpdate {
    if (call.title) this.#titles.set(call.toolCallId, call.title);
    const converted = toolCallToV2(call, this.#lost, this.#isOwn);
    if (!call._meta) return converted;
    const { updates, meta } = takeTerminals(call.toolCallId, call._meta);
    for (const update of updates) this.#send(update);
    const { _meta: _, ...rest } = converted;
    return Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest;
  }
}
