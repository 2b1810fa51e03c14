import { JsonRpcErrorCode, type ResponseMessage } from "@acp-kit/jsonrpc";
import { invalidParams } from "@acp-kit/protocol";
import { after } from "@acp-kit/protocol/internal";
import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { isKnownSessionUpdate } from "@acp-kit/types/v2";
import { contentToV2, joinedText } from "../codec/content.js";
import { isObject, present } from "../codec/objects.js";
import { stopReasonToV1 } from "../codec/stop-reason.js";
import { type ShownKinds, UpdatesToV1 } from "../session/updates-to-v1.js";
import { type WaitingPrompt, type WorkEnd, WorkPeriods, workError } from "../session/work-periods.js";
import { type Exchange, updateOf } from "./exchange.js";
import type { OneWay, Relayed } from "./one-way.js";
import { type OwnPrompt, OwnPrompts } from "./own-prompts.js";

/** A session of an agent of version 2, as its client of version 1 sees it. */
export class V1ClientSession {
  readonly #sessionId: string;
  readonly #exchange: Exchange;
  readonly #work = new WorkPeriods();
  #prompts = new OwnPrompts();
  readonly updates: UpdatesToV1;
  #stopGrace: (() => void) | undefined;
  /** The other members of the notification that is being converted. */
  #params: object | undefined;

  constructor(sessionId: string, shown: ShownKinds, exchange: Exchange) {
    this.#sessionId = sessionId;
    this.#exchange = exchange;
    this.updates = new UpdatesToV1({
      shown,
      lost: exchange.lost,
      isStrict: exchange.strict,
      send: (update, size) => this.#send(update, size),
    });
  }

  /** Forgets what was sent, because the agent replays the session. */
  replay(): void {
    this.close();
    this.#prompts = new OwnPrompts();
    this.updates.replay();
  }

  close(): void {
    this.updates.close();
    this.#stopGrace?.();
  }

  /**
   * Sends a prompt. Version 2 responds when the prompt is in the conversation; version 1 responds at the end of the
   * turn, so the response waits for the end of the work.
   */
  prompt(params: v1.IncomingPromptRequest, request: Relayed, agent: OneWay): void {
    if (params.prompt.length === 0) throw invalidParams("Version 2 of the protocol has no empty prompts");
    const prompt = params.prompt.map((block) => contentToV2(block, this.#exchange.lost));
    const own: OwnPrompt = { request, text: joinedText(prompt as v2.IncomingContentBlock[]) };
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
      own.request.reject(workError(end));
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

  /** Sets the mode through its option. The client knows its choice, so it gets no update about the mode. */
  setMode({ modeId, _meta }: v1.SetSessionModeRequest, request: Relayed): void {
    const { mode } = this.updates;
    if (mode === undefined) throw invalidParams("The session has no modes");
    let options: v1.SessionConfigOption[] = [];
    const params = {
      sessionId: this.#sessionId,
      configId: mode.configId,
      type: "id",
      value: modeId,
      ...present({ _meta }),
    };
    request.pass("session/set_config_option", params, {
      result: (result) => {
        const { configOptions, ...rest } = result as v2.IncomingSetSessionConfigOptionResponse;
        options = this.updates.options(configOptions);
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
          before = this.updates.mode?.modes.currentModeId;
          const { configOptions, ...rest } = result as v2.IncomingSetSessionConfigOptionResponse;
          return { ...rest, configOptions: this.updates.options(configOptions) };
        },
        after: () => this.updates.modeChanged(before),
      },
    );
  }

  /** Converts and sends an update of the agent. `_meta` and other members of the notification stay. */
  update({ update, sessionId: _, ...params }: v2.IncomingUpdateSessionNotification, size: number): void {
    this.#params = params;
    this.#update(update, size);
    this.#params = undefined;
  }

  #update(update: v2.IncomingSessionUpdate, size: number): void {
    if (isKnownSessionUpdate(update)) {
      switch (update.sessionUpdate) {
        case "user_message_chunk":
          this.#work.userMessage(update.messageId);
          if (this.#prompts.owns(update.messageId, [update.content], true)) return;
          break;
        case "user_message":
          this.#work.userMessage(update.messageId);
          if (this.#prompts.owns(update.messageId, update.content ?? [], false)) return;
          break;
        case "state_update":
          this.updates.flush();
          this.#work.state(update);
          return;
      }
    }
    this.updates.update(update, size);
  }

  #send(update: v1.SessionUpdate, size = 0): void {
    this.#exchange.toClient(updateOf(this.#sessionId, update, this.#params), size);
  }
}
