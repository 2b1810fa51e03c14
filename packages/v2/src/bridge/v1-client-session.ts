import { JsonRpcErrorCode, type ResponseMessage, type RpcError } from "@acp-kit/jsonrpc";
import type { ErrorObject } from "@acp-kit/jsonrpc/internal";
import { invalidParams } from "@acp-kit/protocol";
import { after } from "@acp-kit/protocol/internal";
import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { isKnownPlanUpdateContent, isKnownSessionUpdate } from "@acp-kit/types/v2";
import { commandsToV1 } from "../codec/commands.js";
import { configOptionsToV1 } from "../codec/config-options.js";
import { contentToV1, contentToV2, textOf } from "../codec/content.js";
import { type ModeOption, modeOptionOf } from "../codec/modes.js";
import { isObject, present } from "../codec/objects.js";
import { planEntriesToV1 } from "../codec/plan.js";
import { stopReasonToV1 } from "../codec/stop-reason.js";
import { type WaitingPrompt, type WorkEnd, WorkPeriods } from "../session/work-periods.js";
import { type Exchange, updateOf } from "./exchange.js";
import { MessageContents } from "./message-contents.js";
import type { OneWay, Relayed } from "./one-way.js";
import { type OwnPrompt, OwnPrompts } from "./own-prompts.js";
import { ShownToolCalls } from "./shown-tool-calls.js";

/** What a client of version 1 can show. */
export interface ShownKinds {
  readonly booleans: boolean;
  readonly notices: boolean;
  readonly compactions: boolean;
}

/** A session of an agent of version 2, as its client of version 1 sees it. */
export class V1ClientSession {
  readonly #sessionId: string;
  readonly #shown: ShownKinds;
  readonly #exchange: Exchange;
  readonly #work = new WorkPeriods();
  #prompts = new OwnPrompts();
  #contents: MessageContents;
  #calls: ShownToolCalls;
  #mode: ModeOption | undefined;
  #cost: v2.Cost | null | undefined;
  #planId: string | undefined;
  #permissions = 0;
  #stopGrace: (() => void) | undefined;
  /** The other members of the notification that is being converted. */
  #params: object | undefined;

  constructor(sessionId: string, shown: ShownKinds, exchange: Exchange) {
    this.#sessionId = sessionId;
    this.#shown = shown;
    this.#exchange = exchange;
    this.#contents = new MessageContents(exchange.lost);
    this.#calls = this.#newCalls();
  }

  /** Forgets what was sent, because the agent replays the session. */
  replay(): void {
    this.close();
    this.#prompts = new OwnPrompts();
    this.#contents = new MessageContents(this.#exchange.lost);
    this.#calls = this.#newCalls();
  }

  close(): void {
    this.#calls.close();
    this.#stopGrace?.();
  }

  /**
   * Sends a prompt. Version 2 responds when the prompt is in the conversation; version 1 responds at the end of the
   * turn, so the response waits for the end of the work.
   */
  prompt(params: v1.IncomingPromptRequest, request: Relayed, agent: OneWay): void {
    if (params.prompt.length === 0) throw invalidParams("Version 2 of the protocol has no empty prompts");
    const prompt = params.prompt.map((block) => contentToV2(block, this.#exchange.lost));
    const own: OwnPrompt = { request, text: textOf(prompt as v2.IncomingContentBlock[]) };
    const waiting = this.#work.sent({ settle: (end) => this.#settle(own, end) });
    own.agentRequest = agent.request("session/prompt", { ...params, prompt }, (response) =>
      this.#promptResponse(own, waiting, response),
    );
    this.#prompts.add(own);
  }

  #promptResponse(own: OwnPrompt, waiting: WaitingPrompt, response: ResponseMessage): void {
    if ("error" in response) {
      this.#work.rejected(waiting);
      this.#prompts.delete(own);
      const isCancelled = response.error.code === JsonRpcErrorCode.requestCancelled;
      isCancelled ? own.request.respond({ stopReason: "cancelled" }) : own.request.reject(response.error);
      return;
    }
    const messageId = isObject(response.result) ? response.result.messageId : undefined;
    if (typeof messageId === "string") this.#prompts.inserted(own, messageId);
    this.#work.inserted(waiting, typeof messageId === "string" ? messageId : undefined);
    // In version 1 a cancellation concerns all prompts before it. An agent of version 2 can insert one that it has not
    // seen yet.
    if (own.isCancelled) this.#cancelWork();
  }

  #settle(own: OwnPrompt, end: WorkEnd): void {
    this.#prompts.delete(own);
    const { stopReason, _meta } = end;
    if (stopReason === "error") {
      own.request.reject(errorOf(end));
      return;
    }
    const { usage } = end as { usage?: unknown };
    own.request.respond({ stopReason: stopReasonToV1(stopReason, this.#exchange.lost), ...present({ usage, _meta }) });
  }

  /**
   * Cancels the request of a prompt. In version 2 only the whole work can be cancelled once the prompt is part of it.
   */
  cancelRequest(request: Relayed["id"], agent: OneWay): boolean {
    const own = this.#prompts.withRequest(request);
    if (own === undefined) return false;
    if (own.messageId === undefined) agent.cancel(own.agentRequest ?? null);
    else this.cancel();
    return true;
  }

  /**
   * Cancels the work. If there is none, the agent confirms nothing: then prompts that wait for work end after the grace
   * time.
   */
  cancel(): void {
    this.#prompts.cancelled();
    this.#cancelWork();
  }

  #cancelWork(): void {
    this.#exchange.toAgent({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: this.#sessionId } });
    this.#stopGrace?.();
    this.#stopGrace = after(this.#exchange.cancelGraceMs, () => this.#work.cancelWaiting());
  }

  /** Takes the options of a result or an update, and returns them for the client. */
  options(options: readonly v2.IncomingSessionConfigOption[]): v1.SessionConfigOption[] {
    this.#mode = modeOptionOf(options);
    return configOptionsToV1(options, this.#shown, this.#exchange.lost);
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
    const availableCommands = commandsToV1(commands, this.#exchange.lost);
    this.#send({ sessionUpdate: "available_commands_update", availableCommands });
  }

  /** Sets the mode through its option. The client knows its choice, so it gets no update about the mode. */
  setMode({ modeId, _meta }: v1.SetSessionModeRequest, request: Relayed): void {
    if (this.#mode === undefined) throw invalidParams("The session has no modes");
    let options: v1.SessionConfigOption[] = [];
    const params = {
      sessionId: this.#sessionId,
      configId: this.#mode.configId,
      type: "id",
      value: modeId,
      ...present({ _meta }),
    };
    request.pass("session/set_config_option", params, {
      result: (result) => {
        const { configOptions, ...rest } = result as v2.IncomingSetSessionConfigOptionResponse;
        options = this.options(configOptions);
        return rest;
      },
      after: () => this.#send({ sessionUpdate: "config_option_update", configOptions: options }),
    });
  }

  setOption(params: v1.IncomingSetSessionConfigOptionRequest, request: Relayed): void {
    let before: string | undefined;
    request.pass(
      "session/set_config_option",
      { ...params, type: params.type ?? "id" },
      {
        result: (result) => {
          before = this.#mode?.modes.currentModeId;
          const { configOptions, ...rest } = result as v2.IncomingSetSessionConfigOptionResponse;
          return { ...rest, configOptions: this.options(configOptions) };
        },
        after: () => this.#modeChanged(before),
      },
    );
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
    if (this.#exchange.strict)
      throw invalidParams("The subject of the permission request can't be converted to version 1");
    this.#exchange.lost("permission");
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

  /** Converts and sends an update of the agent. `_meta` and other members of the notification stay. */
  update({ update, sessionId: _, ...params }: v2.IncomingUpdateSessionNotification, size: number): void {
    this.#params = params;
    this.#update(update, size);
    this.#params = undefined;
  }

  #update(update: v2.IncomingSessionUpdate, size: number): void {
    if (!isKnownSessionUpdate(update)) {
      this.#send(update as never, size);
      return;
    }
    const { lost } = this.#exchange;
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
      case "agent_thought_chunk":
        this.#contents.chunk(update.sessionUpdate, update.messageId, update.content);
        this.#send({ ...update, content: contentToV1(update.content, lost) } as v1.SessionUpdate, size);
        return;
      case "user_message_chunk":
        this.#work.userMessage(update.messageId);
        if (this.#prompts.owns(update.messageId, [update.content], true)) return;
        this.#contents.chunk(update.sessionUpdate, update.messageId, update.content);
        this.#send({ ...update, content: contentToV1(update.content, lost) } as v1.SessionUpdate, size);
        return;
      case "user_message":
        this.#work.userMessage(update.messageId);
        if (this.#prompts.owns(update.messageId, update.content ?? [], false)) return;
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
        this.#work.state(update);
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
        this.#modeChanged(before);
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
    const { lost } = this.#exchange;
    for (const block of this.#contents.whole(kind, messageId, content))
      this.#send({ sessionUpdate: kind, messageId, content: contentToV1(block, lost), ...present({ _meta }) });
  }

  /** Version 1 has one plan, so the latest one is shown. Plans that are not lists of entries are left out. */
  #plan({ plan, _meta }: v2.IncomingPlanUpdate): void {
    const { lost } = this.#exchange;
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
    const { lost } = this.#exchange;
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

  #modeChanged(before: string | undefined): void {
    const currentModeId = this.#mode?.modes.currentModeId;
    if (before === undefined || currentModeId === undefined || before === currentModeId) return;
    this.#send({ sessionUpdate: "current_mode_update", currentModeId });
  }

  #newCalls(): ShownToolCalls {
    return new ShownToolCalls({ send: (update) => this.#send(update), lost: this.#exchange.lost });
  }

  #send(update: v1.SessionUpdate, size = 0): void {
    this.#exchange.toClient(updateOf(this.#sessionId, update, this.#params), size);
  }
}

/** The error response for work that has ended with an error. */
function errorOf(end: WorkEnd): ErrorObject | RpcError {
  const { error } = end as { error?: unknown };
  if (isObject(error) && Number.isInteger(error.code) && typeof error.message === "string")
    return error as unknown as ErrorObject;
  return { code: JsonRpcErrorCode.internalError, message: "The agent reported that the work has failed" };
}
