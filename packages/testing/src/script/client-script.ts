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
import type { RawTransport } from "../raw-transport.js";
import type { WireResponse } from "../wire-message.js";
import { Choices } from "./choices.js";
import { withSteps } from "./client-steps.js";
import { playInMemory, playScript } from "./play-script.js";
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

class Client implements ClientScript {
  readonly side = "client";
  readonly #clock: Clock;
  readonly #reactions = new Reactions<ScriptedClient>();
  readonly #permissions = new Choices<ScriptedDecision | undefined>(undefined);
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

  onPermission(...decision: [ScriptedDecision] | [string | RegExp, ScriptedDecision]): this {
    this.#permissions.add(...decision);
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
        return { outcome: outcomeOf(this.#permissions.of(title), options) };
      },
    };
    const noteTitle = ({ params }: IncomingMessage): void => {
      const { update } = (params ?? {}) as { readonly update?: Partial<ToolCall> };
      if (update?.toolCallId !== undefined && update.title) titles.set(update.toolCallId, update.title);
    };
    return playScript(transport, {
      side: this.side,
      clock: this.#clock,
      reactions: this.#reactions,
      usual,
      first: { "session/update": noteTitle },
      peer: (played) =>
        withSteps<ScriptedClient>(played, {
          initialize: {
            protocolVersion: 1,
            clientCapabilities: {},
            clientInfo: { name: "script", version: "1.0.0" },
            ...this.#initialize,
          },
          newSession: { cwd: "/work", mcpServers: [] },
          play: this.#steps,
        }),
    });
  }

  inMemory(): ScriptedClient & { readonly transport: RawTransport } {
    return playInMemory(this);
  }
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
