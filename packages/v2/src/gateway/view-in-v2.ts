import type { ConvertedRequest, SessionView, SessionViewOptions } from "@acp-kit/gateway/internal";
import { invalidParams, methodNotFound } from "@acp-kit/protocol";
import type * as v1 from "@acp-kit/types";
import { isKnownSessionUpdate } from "@acp-kit/types";
import {
  decodeResumeSessionResponse,
  decodeSessionNotification,
  clientDecoders as v1Client,
} from "@acp-kit/types/decode";
import type * as v2 from "@acp-kit/types/v2";
import { isKnownContentBlock } from "@acp-kit/types/v2";
import { agentDecoders as v2Agent } from "@acp-kit/types/v2/decode";
import { v1OnlyAgentMethods } from "../bridge/methods.js";
import { V1AgentTurn } from "../bridge/v1-agent-turn.js";
import { contentToV1, contentToV2 } from "../codec/content.js";
import { elicitationAnswerToV1, elicitationToV2 } from "../codec/elicitation.js";
import type { Lost } from "../codec/loss.js";
import { present } from "../codec/objects.js";
import { permissionOutcome } from "../codec/permission.js";
import { MessageIds } from "../session/message-ids.js";
import { UpdatesToV2 } from "../session/updates-to-v2.js";
import { converted, decodedParams, unchanged } from "./converted-request.js";
import { invalidUpdate, lossReporter } from "./reports.js";

type Params = Parameters<SessionView["update"]>[0];
type Outcome = Parameters<SessionView["ended"]>[0];

/** What a client of version 2 sees of a session whose agent speaks version 1. */
export class ViewInV2 implements SessionView {
  readonly #send: SessionViewOptions["send"];
  readonly #report: SessionViewOptions["report"];
  readonly #lost: Lost;
  readonly #updates: UpdatesToV2;
  #turn: V1AgentTurn | undefined;
  #sessionId = "";
  /** The other members of the notification that is being converted. */
  #params: object | undefined;
  #seq = 0;

  constructor({ send, report }: SessionViewOptions) {
    this.#send = send;
    this.#report = report;
    this.#lost = lossReporter(report);
    // The id of a message depends on its first entry, so that it is the same for each client and connection.
    const ids = new MessageIds(() => `message_${this.#seq}`);
    this.#updates = new UpdatesToV2(
      this.#lost,
      (update) => this.#send({ ...this.#params, sessionId: this.#sessionId, update }),
      false,
      ids,
    );
  }

  update(params: Params, seq: number): void {
    const decoded = decodeSessionNotification.try(params);
    if (!decoded.ok) {
      invalidUpdate(this.#report, decoded.issues);
      return;
    }
    const { sessionId, update, ...rest } = decoded.value;
    if (isKnownSessionUpdate(update) && update.sessionUpdate === "user_message_chunk")
      if (this.#turn?.isEcho(contentToV2(update.content, this.#lost))) return;
    this.#sessionId = sessionId;
    this.#seq = seq;
    this.#params = rest;
    this.#updates.update(update);
    this.#params = undefined;
  }

  started(prompt: readonly unknown[]): unknown[] {
    const content = prompt.map((block) => contentToV2(block as v1.IncomingContentBlock, this.#lost));
    this.#turn = new V1AgentTurn(content);
    this.#updates.ids.endMessage();
    return content;
  }

  ended(outcome: Outcome): Outcome {
    this.#updates.ids.endMessage();
    return outcome;
  }

  opened(setup: object): object {
    const decoded = decodeResumeSessionResponse.try(setup);
    return decoded.ok ? this.#updates.opened(decoded.value) : {};
  }

  announce(): void {}

  reopened(setup: object): void {
    this.opened(setup);
    this.#updates.sendOptions();
  }

  request(method: string, params: Params): ConvertedRequest {
    if (method === "elicitation/create") {
      const request = decodedParams(v1Client, method, params) as v1.IncomingCreateElicitationRequest;
      return converted(v2Agent, method, elicitationToV2(request), (answer: v2.IncomingCreateElicitationResponse) =>
        elicitationAnswerToV1(answer, this.#lost),
      );
    }
    if (method !== "session/request_permission") return unchanged(method, params);
    const request = decodedParams(v1Client, method, params) as v1.IncomingRequestPermissionRequest;
    const { sessionId, toolCall, options, _meta } = request;
    return converted(
      v2Agent,
      method,
      { sessionId, ...this.#updates.permission(toolCall), options, ...present({ _meta }) },
      (response: v2.RequestPermissionResponse) => ({
        ...response,
        outcome: permissionOutcome(response.outcome, options),
      }),
    );
  }

  call(method: string, params: Params): ConvertedRequest {
    if ((v1OnlyAgentMethods as readonly string[]).includes(method)) throw methodNotFound(method);
    const decoded = decodedParams(v2Agent, method, params) as object;
    switch (method) {
      case "session/prompt": {
        const { prompt, ...rest } = decoded as v2.IncomingPromptRequest;
        const content = prompt.map((block) => {
          if (isKnownContentBlock(block)) return contentToV1(block, this.#lost);
          throw invalidParams("Content of this type is not supported", { type: block.type });
        });
        return unchanged(method, { ...rest, prompt: content });
      }
      case "tool_call/cancel":
      case "terminal/cancel":
        throw invalidParams("The agent can't cancel a single tool call or terminal");
      case "session/set_config_option":
        return this.#setOption(decoded as v2.IncomingSetSessionConfigOptionRequest);
      default:
        return unchanged(method, decoded);
    }
  }

  close(): void {}

  #setOption({ configId, type, value, ...rest }: v2.IncomingSetSessionConfigOptionRequest): ConvertedRequest {
    if (type !== "id" && type !== "boolean") throw invalidParams("Values of this type are not supported", { type });
    const updates = this.#updates;
    if (configId === updates.modeOption) {
      if (type !== "id" || !updates.hasMode(value)) throw invalidParams("The session has no such mode", { value });
      return converted(v1Client, "session/set_mode", { ...rest, modeId: value }, () => {
        updates.setMode(value as string);
        return { configOptions: updates.options };
      });
    }
    const params = type === "boolean" ? { ...rest, configId, type, value } : { ...rest, configId, value };
    return converted(
      v1Client,
      "session/set_config_option",
      params,
      ({ configOptions, ...members }: v1.IncomingSetSessionConfigOptionResponse) => ({
        ...members,
        configOptions: updates.withOptions(configOptions),
      }),
    );
  }
}
