import type { ConvertedRequest, SessionView, SessionViewOptions } from "@acp-kit/gateway/internal";
import { invalidParams, methodNotFound } from "@acp-kit/protocol";
import type * as v1 from "@acp-kit/types";
import { agentDecoders as v1Agent } from "@acp-kit/types/decode";
import type * as v2 from "@acp-kit/types/v2";
import { isKnownSessionUpdate } from "@acp-kit/types/v2";
import {
  decodeResumeSessionResponse,
  decodeUpdateSessionNotification,
  clientDecoders as v2Client,
} from "@acp-kit/types/v2/decode";
import { v2OnlyAgentMethods } from "../bridge/methods.js";
import { commandsToV1 } from "../codec/commands.js";
import { contentToV1, contentToV2, joinedText } from "../codec/content.js";
import { elicitationToV1 } from "../codec/elicitation.js";
import type { Lost } from "../codec/loss.js";
import { isObject, present } from "../codec/objects.js";
import { permissionOptionsToV1, permissionOutcome } from "../codec/permission.js";
import { stopReasonToV1 } from "../codec/stop-reason.js";
import { shownKindsOf, UpdatesToV1 } from "../session/updates-to-v1.js";
import { converted, decodedParams, unchanged } from "./converted-request.js";
import { invalidUpdate, lossReporter } from "./reports.js";

type Params = Parameters<SessionView["update"]>[0];
type Outcome = Parameters<SessionView["ended"]>[0];

/** The prompt that the client has received, and which the agent repeats as its user message. */
interface ShownPrompt {
  readonly text: string;
  messageId?: string;
}

/** What a client of version 1 sees of a session whose agent speaks version 2. */
export class ViewInV1 implements SessionView {
  readonly #send: SessionViewOptions["send"];
  readonly #report: SessionViewOptions["report"];
  readonly #lost: Lost;
  readonly #updates: UpdatesToV1;
  #prompt: ShownPrompt | undefined;
  #sessionId = "";
  /** The other members of the notification that is being converted. */
  #params: object | undefined;

  constructor({ capabilities, send, report, timer }: SessionViewOptions) {
    this.#send = send;
    this.#report = report;
    this.#lost = lossReporter(report);
    const shown = shownKindsOf(capabilities);
    this.#updates = new UpdatesToV1({ shown, lost: this.#lost, timer, send: (update) => this.#sendUpdate(update) });
  }

  update(params: Params): void {
    const decoded = decodeUpdateSessionNotification.try(params);
    if (!decoded.ok) {
      invalidUpdate(this.#report, decoded.issues);
      return;
    }
    const { sessionId, update, ...rest } = decoded.value;
    this.#sessionId = sessionId;
    if (this.#isPrompt(update)) return;
    this.#params = rest;
    this.#updates.update(update);
    this.#params = undefined;
  }

  started(prompt: readonly unknown[]): unknown[] {
    const content = prompt as v2.IncomingContentBlock[];
    this.#prompt = { text: joinedText(content) };
    return content.map((block) => contentToV1(block, this.#lost));
  }

  ended(outcome: Outcome): Outcome {
    this.#updates.flush();
    const { result } = outcome as { result?: unknown };
    if (!isObject(result)) return outcome;
    return { result: { ...result, stopReason: stopReasonToV1(result.stopReason, this.#lost) } };
  }

  opened(setup: object): object {
    const decoded = decodeResumeSessionResponse.try(setup);
    return decoded.ok ? this.#updates.opened(decoded.value) : {};
  }

  announce(setup: object): void {
    const decoded = decodeResumeSessionResponse.try(setup);
    const commands = decoded.ok ? decoded.value.availableCommands : undefined;
    if (!commands) return;
    this.#sendUpdate({
      sessionUpdate: "available_commands_update",
      availableCommands: commandsToV1(commands, this.#lost),
    });
  }

  reopened(setup: object): void {
    const { modes, configOptions } = this.opened(setup) as v1.ResumeSessionResponse;
    if (configOptions) this.#sendUpdate({ sessionUpdate: "config_option_update", configOptions });
    if (modes) this.#sendUpdate({ sessionUpdate: "current_mode_update", currentModeId: modes.currentModeId });
    this.announce(setup);
  }

  request(method: string, params: Params): ConvertedRequest | undefined {
    if (method === "elicitation/create") {
      const request = decodedParams(v2Client, method, params) as v2.IncomingCreateElicitationRequest;
      return converted(v1Agent, method, elicitationToV1(request, this.#lost));
    }
    if (method !== "session/request_permission") return unchanged(method, params);
    const request = decodedParams(v2Client, method, params) as v2.IncomingRequestPermissionRequest;
    const { sessionId, _meta } = request;
    const options = permissionOptionsToV1(request.options, this.#lost);
    if (options.length === 0) return undefined;
    const toolCall = this.#updates.permission(request);
    return converted(
      v1Agent,
      method,
      { sessionId, toolCall, options, ...present({ _meta }) },
      (response: v1.IncomingRequestPermissionResponse) => ({
        ...response,
        outcome: permissionOutcome(response.outcome as v1.RequestPermissionOutcome, options),
      }),
    );
  }

  call(method: string, params: Params): ConvertedRequest {
    if ((v2OnlyAgentMethods as readonly string[]).includes(method)) throw methodNotFound(method);
    const decoded = decodedParams(v1Agent, method, params) as object;
    if (method === "session/prompt") {
      const { prompt, ...rest } = decoded as v1.IncomingPromptRequest;
      if (prompt.length === 0) throw invalidParams("Version 2 of the protocol has no empty prompts");
      return unchanged(method, { ...rest, prompt: prompt.map((block) => contentToV2(block, this.#lost)) });
    }
    if (method === "session/set_mode") return this.#setMode(decoded as v1.SetSessionModeRequest);
    if (method !== "session/set_config_option") return converted(v2Client, method, decoded);
    const { type = "id", ...rest } = decoded as v1.IncomingSetSessionConfigOptionRequest;
    return converted(
      v2Client,
      method,
      { ...rest, type },
      ({ configOptions, ...members }: v2.IncomingSetSessionConfigOptionResponse) => {
        const before = this.#updates.mode?.modes.currentModeId;
        const options = this.#updates.options(configOptions);
        this.#updates.modeChanged(before);
        return { ...members, configOptions: options };
      },
    );
  }

  close(): void {
    this.#updates.close();
  }

  /** Sets the mode through its option. The change of the options reaches the client as an update. */
  #setMode({ sessionId, modeId, _meta }: v1.SetSessionModeRequest): ConvertedRequest {
    const { mode } = this.#updates;
    if (mode === undefined) throw invalidParams("The session has no modes");
    const params = { sessionId, configId: mode.configId, type: "id", value: modeId, ...present({ _meta }) };
    const request = converted(
      v2Client,
      "session/set_config_option",
      params,
      ({ configOptions: _, ...members }: v2.IncomingSetSessionConfigOptionResponse) => members,
    );
    return { ...request, responded: () => this.#updates.modeSet(modeId) };
  }

  /** Whether an update is the agent's user message for the prompt, which the gateway has sent itself. */
  #isPrompt(update: v2.IncomingSessionUpdate): boolean {
    const prompt = this.#prompt;
    if (prompt === undefined || !isKnownSessionUpdate(update)) return false;
    if (update.sessionUpdate !== "user_message" && update.sessionUpdate !== "user_message_chunk") return false;
    const { messageId } = update;
    if (prompt.messageId !== undefined) return prompt.messageId === messageId;
    const isChunk = update.sessionUpdate === "user_message_chunk";
    const text = joinedText(isChunk ? [update.content] : (update.content ?? []));
    if (isChunk ? text === "" || !prompt.text.startsWith(text) : prompt.text !== text) return false;
    prompt.messageId = messageId;
    return true;
  }

  #sendUpdate(update: v1.SessionUpdate): void {
    this.#send({ ...this.#params, sessionId: this.#sessionId, update });
  }
}
