import { type RequestId, type ResponseMessage, requestCancelled } from "@acp-kit/jsonrpc";
import type { ErrorObject } from "@acp-kit/jsonrpc/internal";
import { invalidParams } from "@acp-kit/protocol";
import { after } from "@acp-kit/protocol/internal";
import type * as v1 from "@acp-kit/types";
import { isKnownSessionUpdate } from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { isKnownContentBlock } from "@acp-kit/types/v2";
import { contentToV1, contentToV2 } from "../codec/content.js";
import { isObject, present } from "../codec/objects.js";
import { sessionInfoToV2 } from "../codec/session-info.js";
import { UpdatesToV2 } from "../session/updates-to-v2.js";
import { type Exchange, updateOf } from "./exchange.js";
import type { OneWay, Relayed } from "./one-way.js";
import { type HeldPrompt, V1AgentTurn } from "./v1-agent-turn.js";

/** A session of an agent of version 1, as its client of version 2 sees it. */
export class V2ClientSession {
  readonly #sessionId: string;
  readonly #exchange: Exchange;
  readonly #agent: OneWay;
  /** What a list of sessions says about this session. */
  info: v2.SessionInfo;
  readonly #updates: UpdatesToV2;
  readonly #held: HeldPrompt[] = [];
  #turn: V1AgentTurn | undefined;
  #onIdle: (() => void)[] = [];
  #stopGrace: (() => void) | undefined;
  /** The other members of the notification that is being converted. */
  #params: object | undefined;
  #questions = 0;
  /** Whether to drop the updates of a replay that the client has not requested. */
  isDiscarding = false;
  /** Whether the client has closed the session. Its last updates are dropped. */
  isClosed = false;

  constructor(info: v2.SessionInfo, agent: OneWay, exchange: Exchange) {
    this.#sessionId = info.sessionId;
    this.info = info;
    this.#agent = agent;
    this.#exchange = exchange;
    this.#updates = new UpdatesToV2(exchange.lost, (update, size) => this.#send(update, size));
  }

  close(): void {
    this.#stopGrace?.();
  }

  /** Sends a prompt, or holds it until the turn before it has ended: an agent of version 1 runs one turn at a time. */
  prompt({ prompt, ...params }: v2.IncomingPromptRequest, request: Relayed): void {
    const converted = prompt.map((block) => {
      if (!isKnownContentBlock(block))
        throw invalidParams("Content of this type is not supported", { type: block.type });
      return contentToV1(block, this.#exchange.lost) as v2.ContentBlock;
    });
    this.#held.push({ params, prompt: converted, request });
    if (this.#turn === undefined) this.#startNext();
  }

  /**
   * Starts the next turn. Version 2 reports the user message, the work, and in the response that the prompt is in the
   * conversation; version 1 has nothing of this.
   */
  #startNext(): void {
    const next = this.#held.shift();
    if (next === undefined) {
      for (const run of this.#onIdle.splice(0)) run();
      return;
    }
    const { params, prompt, request } = next;
    const turn = new V1AgentTurn(prompt);
    this.#turn = turn;
    this.#agent.request("session/prompt", { ...params, prompt }, (response) => this.#turnResponse(turn, response));
    const messageId = this.#updates.ids.next();
    this.#updates.ids.endMessage();
    this.#send({ sessionUpdate: "user_message", messageId, content: [...prompt] });
    this.#send({ sessionUpdate: "state_update", state: "running" });
    request.respond({ messageId });
  }

  #turnResponse(turn: V1AgentTurn, response: ResponseMessage): void {
    if ("error" in response) this.#end(turn, { stopReason: "error", error: response.error });
    else {
      const { stopReason, usage, _meta } = isObject(response.result) ? response.result : {};
      const reason = typeof stopReason === "string" ? { stopReason } : {};
      this.#end(turn, { ...reason, ...present({ usage, _meta }) });
    }
    this.#stopGrace?.();
    this.#turn = undefined;
    this.#startNext();
  }

  /** Sends the end of a turn, once. After a cancellation, an error is its result. */
  #end(turn: V1AgentTurn, end: { stopReason?: string; error?: ErrorObject }): void {
    if (turn.isEnded) return;
    turn.isEnded = true;
    this.#updates.ids.endMessage();
    const reported = turn.isCancelled && end.stopReason === "error" ? { stopReason: "cancelled" } : end;
    this.#send({ sessionUpdate: "state_update", state: "idle", ...reported } as v2.SessionUpdate);
  }

  /**
   * Cancels the turn and the prompts that are held. The client gets the end even if the agent ignores the cancellation.
   */
  cancel(): void {
    for (const { request } of this.#held.splice(0)) request.reject(requestCancelled());
    this.#exchange.toAgent({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: this.#sessionId } });
    const turn = this.#turn;
    if (turn === undefined || turn.isCancelled) return;
    turn.isCancelled = true;
    this.#stopGrace = after(this.#exchange.cancelGraceMs, () => {
      this.#end(turn, { stopReason: "cancelled" });
      for (const run of this.#onIdle.splice(0)) run();
    });
  }

  /** Cancels the request of a held prompt. A prompt in the conversation has its response already. */
  cancelRequest(id: RequestId): boolean {
    const index = this.#held.findIndex(({ request }) => request.id === id);
    if (index < 0) return false;
    const [held] = this.#held.splice(index, 1);
    held?.request.reject(requestCancelled());
    return true;
  }

  /** Ends the work, and then runs `onIdle`: what belongs to the work precedes the response to `session/close`. */
  end(onIdle: () => void): void {
    if (this.#turn === undefined || this.#turn.isEnded) {
      onIdle();
      return;
    }
    this.#onIdle.push(onIdle);
    this.cancel();
  }

  /** Sends the current state, which precedes the response to `session/resume`. */
  state(): void {
    const isRunning = this.#turn !== undefined && !this.#turn.isEnded;
    const running = this.#questions > 0 ? "requires_action" : "running";
    this.#send({ sessionUpdate: "state_update", state: isRunning ? running : "idle" } as v2.SessionUpdate);
  }

  /** Takes the modes and options of a result that opens a session, and returns the result in the form of version 2. */
  opened(result: v1.IncomingResumeSessionResponse): v2.ResumeSessionResponse {
    return this.#updates.opened(result);
  }

  /** The result for a session that this connection has opened before. */
  known(): v2.ResumeSessionResponse {
    const { options } = this.#updates;
    return options.length > 0 ? { configOptions: options } : {};
  }

  setOption(params: v2.IncomingSetSessionConfigOptionRequest, request: Relayed): void {
    const { configId, type, value, ...rest } = params;
    if (type !== "id" && type !== "boolean") throw invalidParams("Values of this type are not supported", { type });
    const updates = this.#updates;
    if (configId === updates.modeOption) {
      if (type !== "id" || !updates.hasMode(value)) throw invalidParams("The session has no such mode", { value });
      request.pass(
        "session/set_mode",
        { ...rest, modeId: value },
        {
          result: () => {
            updates.setMode(value as string);
            return { configOptions: updates.options };
          },
        },
      );
      return;
    }
    const converted = type === "boolean" ? { ...rest, configId, type, value } : { ...rest, configId, value };
    request.pass("session/set_config_option", converted, {
      result: (result) => {
        const { configOptions, ...members } = result as v1.IncomingSetSessionConfigOptionResponse;
        return { ...members, configOptions: updates.withOptions(configOptions) };
      },
    });
  }

  /** Sends a question of the agent to the client: meanwhile the state is `requires_action`. */
  ask(send: (onAnswer: () => void) => void): void {
    this.#questions += 1;
    if (this.#questions === 1) this.#workState("requires_action");
    send(() => {
      this.#questions -= 1;
      if (this.#questions === 0) this.#workState("running");
    });
  }

  /** The members of a permission request that take the place of its tool call. */
  permission(toolCall: v1.IncomingToolCallUpdate): Pick<v2.RequestPermissionRequest, "title" | "subject"> {
    return this.#updates.permission(toolCall);
  }

  /** Converts and sends an update of the agent. `_meta` and other members of the notification stay. */
  update({ update, sessionId: _, ...params }: v1.IncomingSessionNotification, size: number): void {
    this.#params = params;
    this.#update(update, size);
    this.#params = undefined;
  }

  #update(update: v1.IncomingSessionUpdate, size: number): void {
    if (this.isDiscarding || this.isClosed) return;
    if (isKnownSessionUpdate(update)) {
      if (update.sessionUpdate === "user_message_chunk" && this.#turn?.isEcho(contentToV2(update.content, () => {})))
        return;
      if (update.sessionUpdate === "session_info_update")
        this.info = sessionInfoToV2({ ...this.info, ...present({ title: update.title, updatedAt: update.updatedAt }) });
    }
    this.#updates.update(update, size);
  }

  #workState(state: "running" | "requires_action"): void {
    if (this.#turn !== undefined && !this.#turn.isEnded) this.#send({ sessionUpdate: "state_update", state });
  }

  #send(update: v2.SessionUpdate, size = 0): void {
    this.#exchange.toClient(updateOf(this.#sessionId, update, this.#params), size);
  }
}
