import { JsonRpcErrorCode, type RequestId, RpcError, type Transport } from "@acp-kit/jsonrpc";
import { checkOptions } from "@acp-kit/jsonrpc/internal";
import type { V1ClientCalls } from "@acp-kit/protocol";
import type {
  CancelNotification,
  ContentBlock,
  IncomingInitializeResponse,
  IncomingNewSessionResponse,
  InitializeRequest,
  NewSessionRequest,
  PermissionOptionKind,
  PromptResponse,
  RequestPermissionOutcome,
  RequestPermissionRequest,
  ToolCall,
} from "@acp-kit/types";
import { type Clock, systemClock } from "../clock.js";
import { textBlock } from "../fixtures.js";
import { openMemoryPair } from "../memory-pair.js";
import type { RawTransport } from "../raw-transport.js";
import type { WireResponse } from "../wire-message.js";
import { matcher } from "./matcher.js";
import { quietly } from "./message-log.js";
import { PlayedScript } from "./play.js";
import { Reactions } from "./reactions.js";
import { type Script, type ScriptOptions, scriptOptionKinds } from "./script.js";
import type { IncomingMessage, ScriptedPeer, SentRequest } from "./scripted-peer.js";

/** A scripted client that is connected to an agent, with methods for the steps of a conversation. */
export interface ScriptedClient extends ScriptedPeer<V1ClientCalls> {
  /** Resolves when the steps of {@link ClientScript.play} have finished. Rejects with a step's error. */
  readonly done: Promise<void>;
  /** Sends `initialize` with version 1 and the capabilities of the script, overridden by `params`. */
  initialize(params?: Partial<InitializeRequest>): SentRequest<IncomingInitializeResponse>;
  /**
   * Sends `session/new`, by default with the working directory `/work` and no MCP servers. {@link prompt} and
   * {@link cancel} use the session that was opened last.
   */
  newSession(params?: Partial<NewSessionRequest>): Promise<WireResponse<IncomingNewSessionResponse>>;
  /** Sends a prompt and resolves with the whole response. */
  prompt(
    prompt: string | readonly ContentBlock[],
    options?: { readonly sessionId?: string; readonly id?: RequestId },
  ): SentRequest<PromptResponse>;
  /** Sends `session/cancel`. */
  cancel(params?: Partial<CancelNotification>): void;
}

/**
 * Describes the behaviour of a scripted client. By default the client advertises nothing, rejects permission
 * requests (with `cancelled` if the agent offers no rejection), and refuses all other requests.
 */
export interface ClientScript extends Script<V1ClientCalls, ScriptedClient> {
  readonly side: "client";
  /** Overrides members of the params of `initialize`: `clientCapabilities`, `protocolVersion`. */
  initialize(params: Partial<InitializeRequest>): this;
  /**
   * Sets the response to permission requests: the offered option of a kind, such as `allow_once`, the option with an
   * id, or `cancelled`. With a title, this applies only to requests for tool calls with that title.
   */
  onPermission(decision: ScriptedDecision): this;
  onPermission(title: string | RegExp, decision: ScriptedDecision): this;
  /** Defines the conversation of a client that runs by itself, as a process or over any transport. */
  play(steps: (client: ScriptedClient) => void | PromiseLike<void>): this;
}

/** How a scripted client decides a permission request. */
export type ScriptedDecision = PermissionOptionKind | "cancelled" | { readonly optionId: string };

/** Creates the script of a client. */
export function clientScript(options: ScriptOptions = {}): ClientScript {
  checkOptions("clientScript", options, scriptOptionKinds);
  return new Client(options);
}

interface PermissionPart {
  readonly matches: (title: string) => boolean;
  readonly decision: ScriptedDecision;
}

class Client implements ClientScript {
  readonly side = "client";
  readonly #clock: Clock;
  readonly #reactions = new Reactions<ScriptedClient>();
  readonly #permissions: PermissionPart[] = [];
  #anyPermission: ScriptedDecision | undefined;
  #initialize: Partial<InitializeRequest> = {};
  #steps: (client: ScriptedClient) => void | PromiseLike<void> = () => {};

  constructor({ clock = systemClock }: ScriptOptions) {
    this.#clock = clock;
  }

  initialize(params: Partial<InitializeRequest>): this {
    this.#initialize = { ...this.#initialize, ...params };
    return this;
  }

  on(method: string, answer: unknown): this {
    this.#reactions.set(method, answer);
    return this;
  }

  onPermission(...[title, decision]: [ScriptedDecision] | [string | RegExp, ScriptedDecision]): this {
    if (decision === undefined) this.#anyPermission = title as ScriptedDecision;
    else this.#permissions.push({ matches: matcher(title as string | RegExp), decision });
    return this;
  }

  play(steps: (client: ScriptedClient) => void | PromiseLike<void>): this {
    this.#steps = steps;
    return this;
  }

  connect(transport: Transport): ScriptedClient {
    /** The titles of tool calls by their ids, because a permission request need not repeat the title. */
    const titles = new Map<string, string>();
    const usual = {
      "session/request_permission": ({ params }: IncomingMessage) => {
        const { toolCall, options } = (params ?? {}) as Partial<RequestPermissionRequest>;
        if (toolCall === undefined || !Array.isArray(options)) {
          throw new RpcError(
            JsonRpcErrorCode.invalidParams,
            "session/request_permission needs a toolCall and a list of options",
          );
        }
        const title = toolCall.title ?? titles.get(toolCall.toolCallId) ?? "";
        const decision = this.#permissions.find(({ matches }) => matches(title))?.decision ?? this.#anyPermission;
        return { outcome: outcomeOf(decision, options) };
      },
    };
    const noteTitle = ({ params }: IncomingMessage): void => {
      const { update } = (params ?? {}) as { readonly update?: Partial<ToolCall> };
      if (update?.toolCallId !== undefined && update.title) titles.set(update.toolCallId, update.title);
    };
    const played = new PlayedScript(transport, {
      side: "client",
      clock: this.#clock,
      reactionTo: (method) => {
        const react = this.#reactions.of(method, client, usual);
        if (method !== "session/update") return react;
        return (message) => {
          // Before a handler of the script, which must not change how permission requests are decided
          noteTitle(message);
          return react?.(message);
        };
      },
    });
    const client = withSteps(played, this.#initialize, this.#steps);
    played.start();
    return client;
  }

  inMemory(): ScriptedClient & { readonly transport: RawTransport } {
    const [ours, theirs] = openMemoryPair();
    return Object.assign(this.connect(ours), { transport: theirs });
  }
}

/** Adds the methods for the steps of a conversation, with default params, to a running script. */
function withSteps(
  played: PlayedScript,
  said: Partial<InitializeRequest>,
  steps: (client: ScriptedClient) => void | PromiseLike<void>,
): ScriptedClient {
  const peer: ScriptedPeer<V1ClientCalls> = played;
  let lastSession = "session-1";
  const client: ScriptedClient = Object.assign(peer, {
    initialize: (params: Partial<InitializeRequest> = {}) =>
      peer.request("initialize", {
        protocolVersion: 1,
        clientCapabilities: {},
        clientInfo: { name: "script", version: "1.0.0" },
        ...said,
        ...params,
      }),
    newSession: async (params: Partial<NewSessionRequest> = {}) => {
      const response = await peer.request("session/new", { cwd: "/work", mcpServers: [], ...params });
      const { sessionId } = response.result ?? {};
      if (typeof sessionId === "string") lastSession = sessionId;
      return response;
    },
    prompt: (
      prompt: string | readonly ContentBlock[],
      { sessionId = lastSession, ...options }: { readonly sessionId?: string; readonly id?: RequestId } = {},
    ) =>
      peer.request<"session/prompt">(
        "session/prompt",
        { sessionId, prompt: typeof prompt === "string" ? [textBlock(prompt)] : [...prompt] },
        options,
      ),
    cancel: (params: Partial<CancelNotification> = {}) =>
      peer.notify("session/cancel", { sessionId: lastSession, ...params }),
    // The steps start in a microtask, when the caller has received the client.
    done: quietly(Promise.resolve().then(() => steps(client))),
  });
  client.done.catch((error: unknown) => played.failures.push(error));
  return client;
}

/** Returns the outcome that a decision means for the offered options; by default, a rejection. */
export function outcomeOf(
  decision: ScriptedDecision | undefined,
  options: readonly { readonly optionId: string; readonly kind: string }[],
): RequestPermissionOutcome {
  if (decision === "cancelled") return { outcome: "cancelled" };
  if (decision === undefined)
    return outcomeOf(options.some(({ kind }) => kind === "reject_once") ? "reject_once" : "reject_always", options);
  const optionId =
    typeof decision === "object" ? decision.optionId : options.find(({ kind }) => kind === decision)?.optionId;
  return optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId };
}
