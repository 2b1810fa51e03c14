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
import { openMemoryPair } from "../memory-pair.js";
import type { RawTransport } from "../raw-transport.js";
import { outcomeOf, type ScriptedDecision } from "../script/client-script.js";
import { matcher } from "../script/matcher.js";
import { quietly } from "../script/message-log.js";
import { PlayedScript } from "../script/play.js";
import { Reactions } from "../script/reactions.js";
import { type Script, type ScriptOptions, scriptOptionKinds } from "../script/script.js";
import type { IncomingMessage, ScriptedPeer, SentRequest, WaitOptions } from "../script/scripted-peer.js";
import type { WireMessage, WireResponse } from "../wire-message.js";
import { contentOf } from "./sessions.js";

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

interface PermissionPart {
  readonly matches: (title: string) => boolean;
  readonly decision: ScriptedDecision;
}

class Client implements V2ClientScript {
  readonly side = "client";
  readonly #clock: Clock;
  readonly #reactions = new Reactions<V2ScriptedClient>();
  readonly #permissions: PermissionPart[] = [];
  #anyPermission: ScriptedDecision | undefined;
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

  onPermission(...[title, decision]: [ScriptedDecision] | [string | RegExp, ScriptedDecision]): this {
    if (decision === undefined) this.#anyPermission = title as ScriptedDecision;
    else this.#permissions.push({ matches: matcher(title as string | RegExp), decision });
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
        const decision = this.#permissions.find(({ matches }) => matches(title))?.decision ?? this.#anyPermission;
        return { outcome: outcomeOf(decision, options) };
      },
    };
    const played = new PlayedScript(transport, {
      side: "client",
      clock: this.#clock,
      reactionTo: (method) => this.#reactions.of(method, client, usual),
    });
    const client = withSteps(played, this.#initialize, this.#steps);
    played.start();
    return client;
  }

  inMemory(): V2ScriptedClient & { readonly transport: RawTransport } {
    const [ours, theirs] = openMemoryPair();
    return Object.assign(this.connect(ours), { transport: theirs });
  }
}

/** Adds the methods for the steps of a conversation, with default params, to a running script. */
function withSteps(
  played: PlayedScript,
  said: Partial<InitializeRequest>,
  steps: (client: V2ScriptedClient) => void | PromiseLike<void>,
): V2ScriptedClient {
  const peer: ScriptedPeer<V2ClientCalls> = played;
  let lastSession = "session-1";
  const client: V2ScriptedClient = Object.assign(peer, {
    initialize: (params: Partial<InitializeRequest> = {}) =>
      peer.request("initialize", {
        protocolVersion: 2,
        info: { name: "script", version: "1.0.0" },
        capabilities: {},
        ...said,
        ...params,
      }),
    newSession: async (params: Partial<NewSessionRequest> = {}) => {
      const response = await peer.request<"session/new">("session/new", { cwd: "/work", ...params });
      const { sessionId } = response.result ?? {};
      if (typeof sessionId === "string") lastSession = sessionId;
      return response;
    },
    resumeSession: async (params: Partial<ResumeSessionRequest> & { readonly sessionId: string }) => {
      const response = await peer.request<"session/resume">("session/resume", {
        cwd: "/work",
        replayFrom: { type: "start" },
        ...params,
      });
      if (response.error === undefined) lastSession = params.sessionId;
      return response;
    },
    prompt: (
      prompt: string | readonly ContentBlock[],
      { sessionId = lastSession, ...options }: { readonly sessionId?: string; readonly id?: RequestId } = {},
    ) => peer.request<"session/prompt">("session/prompt", { sessionId, prompt: [...contentOf(prompt)] }, options),
    idle: async ({
      sessionId = lastSession,
      ...options
    }: WaitOptions & { readonly sessionId?: string } = {}): Promise<IncomingIdleStateUpdate> => {
      const message = await peer.received((message) => idleStateIn(message, sessionId) !== undefined, options);
      return idleStateIn(message, sessionId) as IncomingIdleStateUpdate;
    },
    cancel: (params: Partial<CancelSessionNotification> = {}) =>
      peer.notify("session/cancel", { sessionId: lastSession, ...params }),
    // The steps start in a microtask, when the caller has received the client.
    done: quietly(Promise.resolve().then(() => steps(client))),
  });
  client.done.catch((error: unknown) => played.failures.push(error));
  return client;
}

function idleStateIn({ method, params }: WireMessage, sessionId: string): object | undefined {
  const { sessionId: of, update } = (params ?? {}) as {
    readonly sessionId?: string;
    readonly update?: { readonly sessionUpdate?: string; readonly state?: string };
  };
  const isIdle = update?.sessionUpdate === "state_update" && update.state === "idle";
  return method === "session/update" && of === sessionId && isIdle ? update : undefined;
}
