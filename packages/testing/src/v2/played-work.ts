import { type RequestId, RpcError } from "@acp-kit/jsonrpc";
import { onAbort } from "@acp-kit/jsonrpc/internal";
import type {
  ContentBlock,
  IncomingContentBlock,
  IncomingRequestPermissionResponse,
  PermissionOption,
  PlanEntry,
  RequestPermissionSubject,
  ToolCallUpdate,
} from "@acp-kit/types/v2";
import type { Clock } from "../clock.js";
import { allowOrReject, textBlock } from "../fixtures.js";
import type { Ids } from "../ids.js";
import { textOf } from "../text-of.js";
import type { V2ScriptedAgent, V2ScriptWork } from "./script-work.js";
import type { ScriptedSession, Sessions, Update } from "./sessions.js";

interface Setting {
  readonly agent: V2ScriptedAgent;
  readonly clock: Clock;
  readonly id: RequestId | undefined;
  readonly ids: Ids;
  readonly prompt: readonly IncomingContentBlock[];
  readonly session: ScriptedSession;
  readonly sessions: Sessions;
  /** The signal of the request: aborts on `$/cancel_request`, and when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** Running work. Its methods are bound to the object, because scripts destructure them. */
export class PlayedWork implements V2ScriptWork {
  readonly agent: V2ScriptedAgent;
  readonly session: ScriptedSession;
  readonly sessionId: string;
  readonly id: RequestId | undefined;
  readonly prompt: readonly IncomingContentBlock[];
  readonly text: string;
  readonly signal: AbortSignal;
  readonly cancelled: Promise<void>;
  isInserted = false;

  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #sessions: Sessions;
  readonly #controller = new AbortController();
  #message: string | undefined;
  #thought: string | undefined;

  constructor({ agent, clock, id, ids, prompt, session, sessions, signal }: Setting) {
    this.agent = agent;
    this.#clock = clock;
    this.id = id;
    this.#ids = ids;
    this.session = session;
    this.#sessions = sessions;
    this.sessionId = session.sessionId;
    this.prompt = prompt;
    this.text = textOf(prompt);
    this.signal = this.#controller.signal;
    this.cancelled = new Promise((resolve) => {
      onAbort(this.signal, () => resolve());
    });
    onAbort(signal, this.cancel);
  }

  readonly cancel = (): void => this.#controller.abort(new Error("The work was cancelled"));

  readonly insert = (): void => {
    if (this.isInserted) return;
    this.isInserted = true;
    this.#sessions.insert(this);
  };

  readonly message = (text: string, messageId: string = this.#message ?? this.#ids("agent")): string => {
    this.#message ??= messageId;
    this.update({ sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } } as Update);
    return messageId;
  };

  readonly thought = (text: string, messageId: string = this.#thought ?? this.#ids("thought")): string => {
    this.#thought ??= messageId;
    this.update({ sessionUpdate: "agent_thought_chunk", messageId, content: { type: "text", text } } as Update);
    return messageId;
  };

  readonly wholeMessage = (
    content: string | readonly ContentBlock[],
    messageId: string = this.#ids("agent"),
  ): string => {
    this.update({
      sessionUpdate: "agent_message",
      messageId,
      content: typeof content === "string" ? [textBlock(content)] : content,
    } as Update);
    return messageId;
  };

  readonly plan = (...entries: (string | Pick<PlanEntry, "content" | "status">)[]): void => {
    const whole = entries.map((entry) => ({
      priority: "medium",
      ...(typeof entry === "string" ? { content: entry, status: "pending" } : entry),
    }));
    this.update({ sessionUpdate: "plan_update", plan: { type: "items", planId: "main", entries: whole } } as Update);
  };

  readonly toolCall = (call: string | Partial<ToolCallUpdate>): string => {
    const { toolCallId = this.#ids("call"), ...rest } = typeof call === "string" ? { title: call } : call;
    this.toolCallUpdate(toolCallId, rest);
    return toolCallId;
  };

  readonly toolCallUpdate = (toolCallId: string, update: Omit<ToolCallUpdate, "toolCallId">): void =>
    this.update({ sessionUpdate: "tool_call_update", toolCallId, ...update } as Update);

  readonly state = (state: string): void => {
    this.insert();
    this.#sessions.state(this.session, state);
  };

  readonly update = (update: Update): void => {
    this.insert();
    this.#sessions.update(this.sessionId, update);
  };

  readonly request = async (method: string, params: object): Promise<never> => {
    this.insert();
    const { error, result } = await this.agent.request(method, { sessionId: this.sessionId, ...params });
    if (error !== undefined) throw new RpcError(error.code, error.message, { data: error.data });
    return result as never; // the caller defines the type
  };

  readonly requestPermission = async (
    title: string,
    {
      options = allowOrReject,
      ...rest
    }: { readonly subject?: RequestPermissionSubject; readonly options?: readonly PermissionOption[] } = {},
  ): Promise<IncomingRequestPermissionResponse> => {
    this.state("requires_action");
    const params = { title, ...rest, options: [...options] };
    const response: IncomingRequestPermissionResponse = await this.request("session/request_permission", params);
    this.state("running");
    return response;
  };

  readonly pause = (ms: number): Promise<void> => new Promise((resolve) => void this.#clock.after(ms, resolve));
}
