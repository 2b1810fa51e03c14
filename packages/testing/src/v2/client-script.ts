import { JsonRpcErrorCode, type RequestId, RpcError, type Transport } from "@acp-kit/jsonrpc";
import { checkOptions } from "@acp-kit/jsonrpc/internal";
import type { V2ClientCalls } from "@acp-kit/protocol/v2";
import type {
  CancelSessionNotification,
  ContentBlock,
  IncomingIdleStateUpdate,
  IncomingInitializeResponse,
  IncomingNewSessionResponse,
  InitializeRequest,
  NewSessionRequest,
  PromptResponse,
  RequestPermissionRequest,
  ResumeSessionRequest,
} from "@acp-kit/types/v2";
import { type Clock, systemClock } from "../clock.js";
import type { RawTransport } from "../raw-transport.js";
import { Choices } from "../script/choices.js";
import { outcomeOf, type ScriptedDecision } from "../script/client-script.js";
import { withSteps } from "../script/client-steps.js";
import type { PlayedScript } from "../script/play.js";
import { playInMemory, playScript } from "../script/play-script.js";
import { Reactions } from "../script/reactions.js";
import { type Script, type ScriptOptions, scriptOptionKinds } from "../script/script.js";
import type { IncomingMessage, ScriptedPeer, SentRequest, WaitOptions } from "../script/scripted-peer.js";
import type { WireMessage, WireResponse } from "../wire-message.js";

/** A scripted client of version 2 that is connected to an agent, with methods for the steps of a conversation. */
export interface V2ScriptedClient extends ScriptedPeer<V2ClientCalls> {
  /** Resolves when the steps of {@link V2ClientScript.play} have finished. Rejects with a step's error. */
  readonly done: Promise<void>;
  /** Sends `initialize` with version 2 and the capabilities of the script, overridden by `params`. */
  initialize(params?: Partial<InitializeRequest>): SentRequest<IncomingInitializeResponse>;
  /**
   * Sends `session/new`, by default with the working directory `/work`. The methods below use the session that was
   * opened last.
   */
  newSession(params?: Partial<NewSessionRequest>): Promise<WireResponse<IncomingNewSessionResponse>>;
  /** Sends `session/resume`, by default with a replay from the start. */
  resumeSession(params: Partial<ResumeSessionRequest> & { readonly sessionId: string }): Promise<WireResponse>;
  /** Sends a prompt and resolves with the response, which says that the prompt is inserted. */
  prompt(
    prompt: string | readonly ContentBlock[],
    options?: { readonly sessionId?: string; readonly id?: RequestId },
  ): SentRequest<PromptResponse>;
  /**
   * Resolves with the next state `idle` of the session that no earlier call has returned, which has the stop reason of
   * the work.
   *
   * @throws {Error} like `received`.
   */
  idle(options?: WaitOptions & { readonly sessionId?: string }): Promise<IncomingIdleStateUpdate>;
  /** Sends `session/cancel`. */
  cancel(params?: Partial<CancelSessionNotification>): void;
}

/**
 * Describes the behaviour of a scripted client of version 2. By default the client advertises nothing, rejects
 * permission requests (with `cancelled` if the agent offers no rejection), and refuses all other requests.
 */
export interface V2ClientScript extends Script<V2ClientCalls, V2ScriptedClient> {
  readonly side: "client";
  /** Overrides members of the params of `initialize`: `capabilities`, `protocolVersion`. */
  initialize(params: Partial<InitializeRequest>): this;
  /**
   * Sets the response to permission requests: the offered option of a kind, such as `allow_once`, the option with an
   * id, or `cancelled`. With a title, this applies only to requests with that title.
   */
  onPermission(decision: ScriptedDecision): this;
  onPermission(title: string | RegExp, decision: ScriptedDecision): this;
  /** Defines the conversation of a client that runs by itself, as a process or over any transport. */
  play(steps: (client: V2ScriptedClient) => void | PromiseLike<void>): this;
}

/** Creates the script of a client of version 2. */
export function v2ClientScript(options: ScriptOptions = {}): V2ClientScript {
  checkOptions("v2ClientScript", options, scriptOptionKinds);
  return new Client(options);
}

class Client implements V2ClientScript {
  readonly side = "client";
  readonly #clock: Clock;
  readonly #reactions = new Reactions<V2ScriptedClient>();
  readonly #permissions = new Choices<ScriptedDecision | undefined>(undefined);
  #initialize: Partial<InitializeRequest> = {};
  #steps: (client: V2ScriptedClient) => void | PromiseLike<void> = () => {};

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

  play(steps: (client: V2ScriptedClient) => void | PromiseLike<void>): this {
    this.#steps = steps;
    return this;
  }

  connect(transport: Transport): V2ScriptedClient {
    const usual = {
      "session/request_permission": ({ params }: IncomingMessage): object => {
        const { title = "", options } = (params ?? {}) as Partial<RequestPermissionRequest>;
        if (!Array.isArray(options))
          throw new RpcError(JsonRpcErrorCode.invalidParams, "session/request_permission needs a list of options");
        return { outcome: outcomeOf(this.#permissions.of(title), options) };
      },
    };
    return playScript(transport, {
      side: this.side,
      clock: this.#clock,
      reactions: this.#reactions,
      usual,
      peer: (played) =>
        withSteps<V2ScriptedClient>(played, {
          initialize: {
            protocolVersion: 2,
            info: { name: "script", version: "1.0.0" },
            capabilities: {},
            ...this.#initialize,
          },
          newSession: { cwd: "/work" },
          more: (session) => stepsOfVersion2(played, session),
          play: this.#steps,
        }),
    });
  }

  inMemory(): V2ScriptedClient & { readonly transport: RawTransport } {
    return playInMemory(this);
  }
}

/** Returns the steps that version 1 of the protocol does not have. */
function stepsOfVersion2(played: PlayedScript, session: { id: string }): object {
  return {
    resumeSession: async (params: Partial<ResumeSessionRequest> & { readonly sessionId: string }) => {
      const all = { cwd: "/work", replayFrom: { type: "start" }, ...params };
      const response: WireResponse = await played.request("session/resume", all);
      if (response.error === undefined) session.id = params.sessionId;
      return response;
    },
    idle: async ({ sessionId = session.id, ...options }: WaitOptions & { readonly sessionId?: string } = {}) => {
      const isIdle = (message: WireMessage) => idleStateIn(message, sessionId) !== undefined;
      return idleStateIn(await played.received(isIdle, options), sessionId);
    },
  };
}

function idleStateIn({ method, params }: WireMessage, sessionId: string): object | undefined {
  const { sessionId: of, update } = (params ?? {}) as {
    readonly sessionId?: string;
    readonly update?: { readonly sessionUpdate?: string; readonly state?: string };
  };
  const isIdle = update?.sessionUpdate === "state_update" && update.state === "idle";
  return method === "session/update" && of === sessionId && isIdle ? update : undefined;
}
