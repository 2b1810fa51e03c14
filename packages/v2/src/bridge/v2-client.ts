import { type Message, RpcError } from "@acp-kit/jsonrpc";
import { ErrorCode, invalidParams, methodNotFound } from "@acp-kit/protocol";
import type * as v1 from "@acp-kit/types";
import { clientDecoders as v1Client } from "@acp-kit/types/decode";
import type * as v2 from "@acp-kit/types/v2";
import { agentDecoders as v2Agent } from "@acp-kit/types/v2/decode";
import { elicitationAnswerToV1, elicitationToV2 } from "../codec/elicitation.js";
import { mcpServersToV1 } from "../codec/mcp-servers.js";
import { present } from "../codec/objects.js";
import { permissionOutcome } from "../codec/permission.js";
import { sessionListToV2 } from "../codec/session-info.js";
import type { BoundedMap } from "../session/bounded-map.js";
import type { Conversion, Exchange } from "./exchange.js";
import { v1OnlyAgentMethods, v1OnlyClientMethods } from "./methods.js";
import { OneWay, type Relayed, type Rules, type Settle } from "./one-way.js";
import { sessionMap } from "./session-map.js";
import { V2ClientSession } from "./v2-client-session.js";

/** The folder of a session about which only updates have arrived, which can precede the response to `session/new`. */
const UNKNOWN = "";

/** The results of `initialize`: of the agent, and for the client. */
export interface Initialized {
  readonly agent: v1.IncomingInitializeResponse;
  readonly client: v2.InitializeResponse;
}

/** Converts between a client of version 2 and an agent of version 1. */
export class V2ClientConversion implements Conversion {
  readonly #exchange: Exchange;
  readonly #initialized: Initialized;
  readonly #sessions: BoundedMap<string, V2ClientSession>;
  readonly #toAgent: OneWay;
  readonly #toClient: OneWay;
  #hasRequests = false;

  constructor(initialized: Initialized, exchange: Exchange) {
    this.#exchange = exchange;
    this.#initialized = initialized;
    this.#sessions = sessionMap(exchange);
    const { toAgent, toClient, report } = exchange;
    this.#toAgent = new OneWay(this.#agentRules(), { toSender: toClient, toReceiver: toAgent, report });
    this.#toClient = new OneWay(this.#clientRules(), { toSender: toAgent, toReceiver: toClient, report });
  }

  fromClient(message: Message): void {
    if (!("method" in message)) {
      this.#toClient.response(message);
      return;
    }
    if ("id" in message && message.id === null) {
      const error = {
        code: ErrorCode.invalidRequest,
        message: "Version 2 of the protocol has no requests with the id null",
      };
      this.#exchange.toClient({ jsonrpc: "2.0", id: null, error });
      return;
    }
    this.#toAgent.message(message, 0);
    if ("id" in message && message.method !== "initialize") this.#hasRequests = true;
  }

  fromAgent(message: unknown, size: number): void {
    if ("method" in (message as Message)) this.#toClient.message(message as Message, size);
    else this.#toAgent.response(message as never);
  }

  close(): void {
    for (const session of this.#sessions.values()) session.close();
  }

  /** What the client sends. */
  #agentRules(): Rules {
    const { authMethods = [], capabilities } = this.#initialized.client;
    const offered = this.#initialized.agent.agentCapabilities;
    const session = offered?.sessionCapabilities;
    const requests: Record<string, (params: never, request: Relayed) => void> = {
      initialize: (params: v2.InitializeRequest, request) => this.#initializeAgain(params, request),
      "auth/login": (params: v2.LoginAuthRequest, request) => {
        const method = authMethods.find(({ methodId }) => methodId === params.methodId);
        if (method?.type === "terminal")
          throw invalidParams("The client runs this login method itself", { methodId: params.methodId });
        request.pass("authenticate", params);
      },
      "auth/logout": (params, request) => {
        if (offered?.auth?.logout) return request.pass("logout", params);
        this.#exchange.lost("logout");
        throw new RpcError(ErrorCode.internalError, "The agent can't log out");
      },
      "session/new": (params: v2.IncomingNewSessionRequest, request) => {
        const { cwd, additionalDirectories } = params;
        request.pass("session/new", withServers(params), {
          result: (result) => {
            const { sessionId, ...opened } = result as v1.IncomingNewSessionResponse;
            const created = this.#open({ sessionId, cwd, ...present({ additionalDirectories }) });
            return { sessionId, ...created.opened(opened) };
          },
        });
      },
      "session/resume": (params: v2.IncomingResumeSessionRequest, request) => this.#resume(params, request),
      "session/list": (params: v2.ListSessionsRequest, request) => {
        if (session?.list) {
          request.pass("session/list", params, {
            result: (result) => sessionListToV2(result as v1.ListSessionsResponse),
          });
          return;
        }
        const opened = [...this.#sessions.values()].filter(({ info, isClosed }) => info.cwd !== UNKNOWN && !isClosed);
        const infos = opened.map(({ info }) => info);
        request.respond({ sessions: infos.filter(({ cwd }) => !params.cwd || params.cwd === cwd) });
      },
      "session/close": (params: v2.CloseSessionRequest, request) => {
        const known = this.#known(params.sessionId);
        const close = (): void => {
          if (known !== undefined) known.isClosed = true;
          if (session?.close) request.pass("session/close", params, withSessionId(params.sessionId));
          else request.respond({});
        };
        if (known === undefined) close();
        else known.end(close);
      },
      "session/delete": (params: v2.DeleteSessionRequest, request) => {
        if (!capabilities?.session?.delete) return refuse(params as never, request);
        request.pass("session/delete", params, withSessionId(params.sessionId));
      },
      "session/prompt": (params: v2.IncomingPromptRequest, request) =>
        this.#session(params.sessionId).prompt(params, request),
      "session/set_config_option": (params: v2.IncomingSetSessionConfigOptionRequest, request) =>
        this.#session(params.sessionId).setOption(params, request),
      // The bridge advertises no call or terminal that can be cancelled.
      "tool_call/cancel": (params: v2.CancelToolCallRequest) => {
        throw invalidParams("The tool call can't be cancelled", { toolCallId: params.toolCallId });
      },
      "terminal/cancel": (params: v2.CancelTerminalRequest) => {
        throw invalidParams("The terminal can't be cancelled", { terminalId: params.terminalId });
      },
    };
    for (const method of v1OnlyAgentMethods) requests[method] = refuse;
    return {
      params: v2Agent.params,
      results: v1Client.results,
      requests,
      notifications: {
        "session/cancel": ({ sessionId }: v2.CancelSessionNotification) => this.#session(sessionId).cancel(),
        "$/cancel_request": ({ requestId }: v2.CancelRequestNotification) => {
          for (const known of this.#sessions.values()) if (known.cancelRequest(requestId)) return;
          this.#toAgent.cancel(requestId);
        },
      },
    };
  }

  /** What the agent sends. */
  #clientRules(): Rules {
    const requests: Record<string, (params: never, request: Relayed) => void> = {
      "session/request_permission": (params: v1.IncomingRequestPermissionRequest, request) => {
        const { sessionId, toolCall, options, _meta } = params;
        if (options.length === 0) return request.respond({ outcome: { outcome: "cancelled" } });
        const session = this.#session(sessionId);
        const converted = { sessionId, ...session.permission(toolCall), options, ...present({ _meta }) };
        session.ask((onAnswer) =>
          request.pass("session/request_permission", converted, {
            result: (result) => {
              onAnswer();
              const response = result as v2.RequestPermissionResponse;
              return { ...response, outcome: permissionOutcome(response.outcome, options) };
            },
            error: () => void onAnswer(),
          }),
        );
      },
      "elicitation/create": (params: v1.IncomingCreateElicitationRequest, request) => {
        const convert = (onAnswer: () => void): void =>
          request.pass("elicitation/create", elicitationToV2(params), {
            result: (result) => {
              onAnswer();
              return elicitationAnswerToV1(result as v2.IncomingCreateElicitationResponse, this.#exchange.lost);
            },
            error: () => void onAnswer(),
          });
        const { sessionId } = params as { sessionId?: unknown };
        if (typeof sessionId === "string") this.#session(sessionId).ask(convert);
        else convert(() => {});
      },
    };
    for (const method of v1OnlyClientMethods)
      requests[method] = (_, request) => {
        this.#exchange.lost("client_methods");
        request.reject(methodNotFound(request.method));
      };
    return {
      params: v1Client.params,
      results: v2Agent.results,
      requests,
      notifications: {
        "session/update": (params: v1.IncomingSessionNotification, size) =>
          this.#session(params.sessionId).update(params, size),
      },
    };
  }

  /**
   * Version 2 allows to repeat `initialize` before the first other request. An agent of version 1 does not, so the
   * result stays.
   */
  #initializeAgain({ protocolVersion }: v2.InitializeRequest, request: Relayed): void {
    if (!this.#hasRequests && protocolVersion >= 2) {
      request.respond(this.#initialized.client);
      return;
    }
    throw new RpcError(ErrorCode.invalidRequest, "The connection is already initialized");
  }

  /**
   * Resumes a session: with a replay, an agent of version 1 loads it. The state follows the replay and precedes the
   * response.
   */
  #resume({ replayFrom, ...params }: v2.IncomingResumeSessionRequest, request: Relayed): void {
    const { sessionId, cwd, additionalDirectories } = params;
    const { loadSession, sessionCapabilities } = this.#initialized.agent.agentCapabilities ?? {};
    if (replayFrom && (replayFrom.type !== "start" || !loadSession))
      throw invalidParams("The agent can't replay the session from here", { replayFrom });
    const known = this.#known(sessionId);
    const isLoad = replayFrom ? true : !sessionCapabilities?.resume && loadSession === true && known === undefined;
    if (!isLoad && !sessionCapabilities?.resume) {
      if (known === undefined)
        throw new RpcError(ErrorCode.resourceNotFound, "The session does not exist", { data: { sessionId } });
      known.state();
      request.respond(known.known());
      return;
    }
    const session = known ?? this.#open({ sessionId, cwd, ...present({ additionalDirectories }) });
    session.isDiscarding = isLoad && !replayFrom;
    request.pass(isLoad ? "session/load" : "session/resume", withServers(params), {
      result: (result) => {
        session.isDiscarding = false;
        session.state();
        return session.opened(result as v1.IncomingLoadSessionResponse);
      },
      error: (error) => {
        session.isDiscarding = false;
        if (known === undefined) this.#sessions.delete(sessionId);
        return withSessionId(sessionId).error?.(error);
      },
    });
  }

  #session(sessionId: string): V2ClientSession {
    return this.#sessions.get(sessionId) ?? this.#open({ sessionId, cwd: UNKNOWN });
  }

  #known(sessionId: string): V2ClientSession | undefined {
    const session = this.#sessions.get(sessionId);
    return session?.isClosed ? undefined : session;
  }

  #open(info: v2.SessionInfo): V2ClientSession {
    const known = this.#known(info.sessionId);
    if (known !== undefined) known.info = { ...known.info, ...info };
    const session = known ?? new V2ClientSession(info, this.#toAgent, this.#exchange);
    this.#sessions.set(info.sessionId, session);
    return session;
  }
}

/** Refuses a method that the version of its sender does not have. */
function refuse(_: never, request: Relayed): void {
  request.reject(methodNotFound(request.method));
}

/** Version 2 requires the id of the session in the data of the error `-32002`. */
function withSessionId(sessionId: string): Settle {
  return {
    error: ({ code, message, data }) => {
      if (code === ErrorCode.resourceNotFound && data === undefined)
        throw new RpcError(code, message, { data: { sessionId } });
      return undefined;
    },
  };
}

function withServers(params: { readonly mcpServers?: v2.IncomingMcpServer[] }): object {
  return { ...params, mcpServers: mcpServersToV1(params.mcpServers ?? []) };
}
