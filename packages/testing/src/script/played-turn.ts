import { type RequestId, RpcError } from "@acp-kit/jsonrpc";
import { type ErrorObject, onAbort } from "@acp-kit/jsonrpc/internal";
import type {
  IncomingContentBlock,
  IncomingPromptRequest,
  PermissionOption,
  PlanEntry,
  PromptResponse,
  RequestPermissionResponse,
  SessionUpdate,
  StopReason,
  ToolCall,
  ToolCallUpdate,
} from "@acp-kit/types";
import type { Clock } from "../clock.js";
import { allowOrReject, messageChunk, plan, thoughtChunk } from "../fixtures.js";
import type { Ids } from "../ids.js";
import { textOf } from "../text-of.js";
import type { ScriptedAgent, ScriptTurn } from "./script-turn.js";

interface Setting {
  readonly agent: ScriptedAgent;
  readonly clock: Clock;
  readonly id: RequestId;
  readonly ids: Ids;
  readonly number: number;
  readonly params: IncomingPromptRequest;
  /** The signal of the request: aborts on `$/cancel_request`, and when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** A running turn. Its methods are bound to the object, because scripts destructure them. */
export class PlayedTurn implements ScriptTurn {
  readonly agent: ScriptedAgent;
  readonly sessionId: string;
  readonly id: RequestId;
  readonly number: number;
  readonly prompt: readonly IncomingContentBlock[];
  readonly text: string;
  readonly signal: AbortSignal;
  readonly cancelled: Promise<void>;
  /** Whether the script has already responded to the prompt. */
  stopped = false;

  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #controller = new AbortController();

  constructor({ agent, clock, id, ids, number, params, signal }: Setting) {
    this.agent = agent;
    this.#clock = clock;
    this.id = id;
    this.#ids = ids;
    this.number = number;
    this.sessionId = params.sessionId;
    this.prompt = params.prompt;
    this.text = textOf(params.prompt);
    this.signal = this.#controller.signal;
    this.cancelled = new Promise((resolve) => {
      onAbort(this.signal, () => resolve());
    });
    onAbort(signal, this.cancel);
  }

  readonly cancel = (): void => this.#controller.abort(new Error("The turn was cancelled"));

  readonly message = (text: string): void => this.update(messageChunk(text));

  readonly thought = (text: string): void => this.update(thoughtChunk(text));

  readonly plan = (...entries: (string | Pick<PlanEntry, "content" | "status">)[]): void =>
    this.update(plan(...entries));

  readonly toolCall = (call: string | (Omit<ToolCall, "toolCallId"> & { readonly toolCallId?: string })): string => {
    const { toolCallId = this.#ids("call"), ...rest } = typeof call === "string" ? { title: call } : call;
    this.update({ sessionUpdate: "tool_call", toolCallId, ...rest });
    return toolCallId;
  };

  readonly toolCallUpdate = (toolCallId: string, update: Omit<ToolCallUpdate, "toolCallId">): void =>
    this.update({ sessionUpdate: "tool_call_update", toolCallId, ...update });

  readonly update = (update: SessionUpdate | { readonly sessionUpdate: string }): void =>
    this.agent.notify("session/update", { sessionId: this.sessionId, update });

  readonly request = async (method: string, params: object): Promise<never> => {
    const { error, result } = await this.agent.request(method, { sessionId: this.sessionId, ...params });
    if (error !== undefined) throw refusal(error);
    return result as never; // the caller defines the type
  };

  readonly requestPermission = (
    toolCallId: string,
    options: readonly PermissionOption[] = allowOrReject,
  ): Promise<RequestPermissionResponse> =>
    this.request("session/request_permission", { toolCall: { toolCallId }, options: [...options] });

  readonly pause = (ms: number): Promise<void> => new Promise((resolve) => void this.#clock.after(ms, resolve));

  readonly stop = (reason: StopReason | PromptResponse): void => {
    this.stopped = true;
    this.agent.respond(this.id, typeof reason === "string" ? { stopReason: reason } : reason);
  };
}

/** Returns an error of the client as an `RpcError`, which is sent back to the client if the script doesn't catch it. */
function refusal({ code, message, data }: ErrorObject): RpcError {
  return new RpcError(code, message, { data });
}
