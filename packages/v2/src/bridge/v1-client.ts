import type { Message } from "@acp-kit/jsonrpc";
import { ErrorCode, methodNotFound } from "@acp-kit/protocol";
import type * as v1 from "@acp-kit/types";
import { agentDecoders as v1Agent } from "@acp-kit/types/decode";
import type * as v2 from "@acp-kit/types/v2";
import { clientDecoders as v2Client } from "@acp-kit/types/v2/decode";
import { elicitationToV1 } from "../codec/elicitation.js";
import { mcpServersToV2 } from "../codec/mcp-servers.js";
import { present } from "../codec/objects.js";
import { permissionOptionsToV1, permissionOutcome } from "../codec/permission.js";
import type { BoundedMap } from "../session/bounded-map.js";
import { shownKindsOf } from "../session/updates-to-v1.js";
import type { Conversion, Exchange } from "./exchange.js";
import { v1OnlyClientMethods, v2OnlyAgentMethods } from "./methods.js";
import { OneWay, type Relayed, type Rules } from "./one-way.js";
import { sessionMap } from "./session-map.js";
import { V1ClientSession } from "./v1-client-session.js";

/** Converts between a client of version 1 and an agent of version 2. */
export class V1ClientConversion implements Conversion {
  readonly #exchange: Exchange;
  readonly #capabilities: v1.ClientCapabilities;
  readonly #sessions: BoundedMap<string, V1ClientSession>;
  readonly #toAgent: OneWay;
  readonly #toClient: OneWay;

  constructor(capabilities: v1.ClientCapabilities, exchange: Exchange) {
    this.#exchange = exchange;
    this.#capabilities = capabilities;
    this.#sessions = sessionMap(exchange);
    const { toAgent, toClient, report } = exchange;
    this.#toAgent = new OneWay(this.#agentRules(), { toSender: toClient, toReceiver: toAgent, report });
    this.#toClient = new OneWay(this.#clientRules(), { toSender: toAgent, toReceiver: toClient, report });
  }

  fromClient(message: Message): void {
    if ("method" in message) this.#toAgent.message(message, 0);
    else this.#toClient.response(message);
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
    const requests: Record<string, (params: never, request: Relayed) => void> = {
      authenticate: (params, request) => request.pass("auth/login", params),
      logout: (params, request) => request.pass("auth/logout", params),
      initialize: (_, request) =>
        request.reject({ code: ErrorCode.invalidRequest, message: "The connection is already initialized" }),
      "session/new": (params: v1.IncomingNewSessionRequest, request) => {
        let session: V1ClientSession;
        let commands: v2.IncomingAvailableCommand[] | undefined;
        request.pass("session/new", withServers(params), {
          result: (result) => {
            const { sessionId, ...opened } = result as v2.IncomingNewSessionResponse;
            session = this.#session(sessionId);
            commands = opened.availableCommands;
            return { sessionId, ...session.updates.opened(opened) };
          },
          after: () => session.updates.commands(commands),
        });
      },
      "session/load": (params: v1.IncomingLoadSessionRequest, request) => {
        this.#session(params.sessionId).replay();
        const replayFrom = { type: "start" };
        this.#resume(Object.assign(withServers(params), { replayFrom }), request);
      },
      "session/resume": (params: v1.IncomingResumeSessionRequest, request) =>
        this.#resume(withServers(params), request),
      "session/close": (params: v1.CloseSessionRequest, request) =>
        request.pass("session/close", params, {
          // The session is gone, as the client wants.
          error: ({ code }) => (code === ErrorCode.resourceNotFound ? {} : undefined),
        }),
      "session/prompt": (params: v1.IncomingPromptRequest, request) =>
        this.#session(params.sessionId).prompt(params, request, this.#toAgent),
      "session/set_mode": (params: v1.SetSessionModeRequest, request) =>
        this.#session(params.sessionId).setMode(params, request),
      "session/set_config_option": (params: v1.IncomingSetSessionConfigOptionRequest, request) =>
        this.#session(params.sessionId).setOption(params, request),
    };
    for (const method of v2OnlyAgentMethods) requests[method] = refuse;
    return {
      params: v1Agent.params,
      results: v2Client.results,
      requests,
      notifications: {
        "session/cancel": ({ sessionId }: v1.CancelNotification) => this.#session(sessionId).cancel(),
        "$/cancel_request": ({ requestId }: v1.CancelRequestNotification) => {
          for (const session of this.#sessions.values()) if (session.cancelRequest(requestId, this.#toAgent)) return;
          this.#toAgent.cancel(requestId);
        },
      },
    };
  }

  /** What the agent sends. */
  #clientRules(): Rules {
    const requests: Record<string, (params: never, request: Relayed) => void> = {
      "session/request_permission": (params: v2.IncomingRequestPermissionRequest, request) => {
        const { sessionId, _meta } = params;
        const options = permissionOptionsToV1(params.options, this.#exchange.lost);
        if (options.length === 0) return request.respond({ outcome: { outcome: "cancelled" } });
        const toolCall = this.#session(sessionId).updates.permission(params);
        request.pass(
          "session/request_permission",
          { sessionId, toolCall, options, ...present({ _meta }) },
          {
            result: (result) => {
              const response = result as v1.IncomingRequestPermissionResponse;
              return {
                ...response,
                outcome: permissionOutcome(response.outcome as v1.RequestPermissionOutcome, options),
              };
            },
            // In version 2 a cancelled permission request has a result.
            error: ({ code }) =>
              code === ErrorCode.requestCancelled ? { outcome: { outcome: "cancelled" } } : undefined,
          },
        );
      },
      "elicitation/create": (params: v2.IncomingCreateElicitationRequest, request) =>
        request.pass("elicitation/create", elicitationToV1(params, this.#exchange.lost)),
    };
    for (const method of v1OnlyClientMethods) requests[method] = refuse;
    return {
      params: v2Client.params,
      results: v1Agent.results,
      requests,
      notifications: {
        "session/update": (params: v2.IncomingUpdateSessionNotification, size) =>
          this.#session(params.sessionId).update(params, size),
      },
    };
  }

  #resume(params: object & { sessionId: string }, request: Relayed): void {
    const session = this.#session(params.sessionId);
    let commands: v2.IncomingAvailableCommand[] | undefined;
    request.pass("session/resume", params, {
      result: (result) => {
        const opened = result as v2.IncomingResumeSessionResponse;
        commands = opened.availableCommands;
        return session.updates.opened(opened);
      },
      after: () => session.updates.commands(commands),
    });
  }

  #session(sessionId: string): V1ClientSession {
    let session = this.#sessions.get(sessionId);
    if (session === undefined) {
      session = new V1ClientSession(sessionId, shownKindsOf(this.#capabilities), this.#exchange);
      this.#sessions.set(sessionId, session);
    }
    return session;
  }
}

/** Refuses a method that the version of its sender does not have. */
function refuse(_: never, request: Relayed): void {
  request.reject(methodNotFound(request.method));
}

function withServers<Params extends { mcpServers?: v1.IncomingMcpServer[] }>(
  params: Params,
): Params & { mcpServers?: v2.McpServer[] } {
  const { mcpServers } = params;
  return { ...params, ...(mcpServers && { mcpServers: mcpServersToV2(mcpServers) }) } as never;
}
