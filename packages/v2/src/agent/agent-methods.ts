import type { AgentPort } from "@acp-kit/agent/internal";
import { ErrorCode, invalidParams, methodNotFound, type PeerContext, RpcError } from "@acp-kit/protocol";
import type { V2AgentCalls } from "@acp-kit/protocol/v2";
import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { mcpServersToV1 } from "../codec/mcp-servers.js";
import { sessionListToV2 } from "../codec/session-info.js";
import { OpenedSessions } from "./opened-sessions.js";
import type { V2Session } from "./v2-session.js";

type Requests = V2AgentCalls["incomingRequests"];
type Params<Method extends keyof Requests> = Requests[Method]["incomingParams"];
type Result<Method extends keyof Requests> = Requests[Method]["result"];

/** Handles the requests of a client of version 2, with the handlers that the agent has for version 1. */
export class AgentMethods {
  readonly #agent: AgentPort;
  readonly #initialize: (params: unknown) => v2.InitializeResponse;
  readonly #authMethods: () => readonly v2.AuthMethod[];
  /** The handlers of version 1, which report errors and convert them to error responses. */
  readonly #handlers: ReadonlyMap<string, (params: unknown, context: PeerContext) => unknown>;
  readonly #opened = new OpenedSessions();
  #hasRequests = false;

  constructor(
    agent: AgentPort,
    initialize: (params: unknown) => v2.InitializeResponse,
    authMethods: () => readonly v2.AuthMethod[],
  ) {
    this.#agent = agent;
    this.#handlers = new Map(agent.peer.handlers);
    this.#initialize = initialize;
    this.#authMethods = authMethods;
  }

  register(): void {
    for (const method of ["session/new", "session/fork"] as const)
      if (this.#handlers.has(method))
        this.#on(method as "session/new", async ({ mcpServers, ...params }, context) => {
          const result = await this.#call<v1.NewSessionResponse>(method, withServers(params, mcpServers), context);
          const { sessionId, ...opened } = result;
          this.#opened.add(sessionId, params);
          return { sessionId, ...this.#session(sessionId).updates.opened(opened) };
        });
    this.#on("session/resume", (params, context) => this.#resume(params, context));
    this.#on("session/list", async (params, context) => {
      if (!this.#handlers.has("session/list")) return this.#opened.list(params);
      return sessionListToV2(await this.#call<v1.ListSessionsResponse>("session/list", params, context));
    });
    this.#on("session/prompt", (params, context) => {
      const session = this.#active(params.sessionId);
      const request = params as v1.IncomingPromptRequest;
      return session.insertion.prompt(request, context.signal, async (work) =>
        this.#call<v1.PromptResponse>("session/prompt", request, { ...contextOf(context), ...work }),
      );
    });
    this.#on("session/set_config_option", (params, context) => this.#setOption(params, context));
    this.#on("session/close", async (params, context) => {
      const { sessionId } = params;
      if (!this.#isActive(sessionId)) return {};
      const session = this.#session(sessionId);
      session.isClosing = true;
      try {
        await session.background.stop();
        const result = await this.#close(params, context);
        this.#opened.delete(sessionId);
        return result;
      } finally {
        session.isClosing = false;
      }
    });
    if (this.#agent.definition.deleteSession)
      this.#on("session/delete", async (params, context) => {
        const result = await this.#call<v2.DeleteSessionResponse>("session/delete", params, context);
        this.#opened.delete(params.sessionId);
        return result;
      });
    this.#on("tool_call/cancel", ({ sessionId, toolCallId }, context) => {
      const { background } = this.#active(sessionId);
      if (!background.isCancellable(toolCallId))
        throw invalidParams("The tool call can't be cancelled", { toolCallId });
      context.afterResponse(() => background.cancel(toolCallId));
      return {};
    });
    this.#on("terminal/cancel", ({ sessionId, terminalId }, context) => {
      const { background } = this.#active(sessionId);
      const toolCallId = background.callOfTerminal(terminalId);
      if (toolCallId === undefined) throw invalidParams("The terminal can't be cancelled", { terminalId });
      context.afterResponse(() => background.cancel(toolCallId));
      return {};
    });
    this.#on("auth/login", (params, context) => {
      if (this.#authMethods().length === 0) throw methodNotFound("auth/login");
      return this.#call<v2.LoginAuthResponse>("authenticate", params, context);
    });
    this.#on("auth/logout", (params, context) => {
      if (this.#authMethods().length === 0) throw methodNotFound("auth/logout");
      return this.#call<v2.LogoutAuthResponse>("logout", params, context);
    });
    this.#on("initialize", (params) => {
      if (this.#hasRequests)
        throw new RpcError(ErrorCode.invalidRequest, "initialize arrived after another request of the connection");
      return this.#initialize(params);
    });
    for (const [method, extension] of Object.entries(this.#agent.extensions))
      if (extension.kind === "request")
        this.#agent.peer.handleExtension(method, {
          ...extension,
          handle: (params, context) => {
            this.#hasRequests = true;
            return extension.handle(params, context);
          },
        });
  }

  #on<Method extends keyof Requests & string>(
    method: Method,
    handler: (params: Params<Method>, context: PeerContext) => Result<Method> | Promise<Result<Method>>,
  ): void {
    const checked = (params: Params<Method>, context: PeerContext): Result<Method> | Promise<Result<Method>> => {
      if (method !== "initialize") this.#hasRequests = true;
      return handler(params, context);
    };
    this.#agent.peer.handle(method as never, checked as never);
  }

  async #call<Returned>(method: string, params: unknown, context: PeerContext): Promise<Returned> {
    const handler = this.#handlers.get(method);
    if (handler === undefined) throw methodNotFound(context.method);
    return ((await handler(params, context)) ?? {}) as Returned;
  }

  /**
   * Resumes a session. The history, if the client requests it, and then the state precede the response. An agent that
   * can't resume sessions continues those of this connection.
   */
  async #resume(
    { replayFrom, mcpServers, ...params }: Params<"session/resume">,
    context: PeerContext,
  ): Promise<Result<"session/resume">> {
    const { sessionId } = params;
    const handlers = this.#handlers;
    if (replayFrom != null && replayFrom.type !== "start")
      throw invalidParams("The agent can't replay the session from here", { replayFrom });
    const isReplay = replayFrom != null;
    const isActive = this.#isActive(sessionId);
    const canLoad = handlers.has("session/load");
    const canResume = handlers.has("session/resume");
    const method = canLoad && (isReplay || (!canResume && !isActive)) ? "session/load" : "session/resume";
    const session = this.#session(sessionId);
    if (!handlers.has(method)) {
      if (!isActive || session.isClosing) throw sessionNotFound(sessionId);
      session.reportState();
      const { options } = session.updates;
      return options.length > 0 ? { configOptions: options } : {};
    }
    session.isDiscarding = method === "session/load" && !isReplay;
    session.isResuming = true;
    try {
      const result = await this.#call<v1.ResumeSessionResponse>(method, withServers(params, mcpServers), context);
      this.#opened.add(sessionId, params);
      session.isDiscarding = false;
      session.isResuming = false;
      session.reportState();
      return session.updates.opened(result);
    } finally {
      session.isDiscarding = false;
      session.isResuming = false;
    }
  }

  async #setOption(
    params: Params<"session/set_config_option">,
    context: PeerContext,
  ): Promise<Result<"session/set_config_option">> {
    const { sessionId, configId, type, value, ...rest } = params;
    const { updates } = this.#active(sessionId);
    if (type !== "id" && type !== "boolean") throw invalidParams("Values of this type are not supported", { type });
    if (configId === updates.modeOption) {
      if (type !== "id" || !updates.hasMode(value)) throw invalidParams("The session has no such mode", { value });
      await this.#call("session/set_mode", { ...rest, sessionId, modeId: value }, context);
      updates.setMode(value as string);
      return { configOptions: updates.options };
    }
    if (!this.#handlers.has("session/set_config_option"))
      throw invalidParams("The session has no such option", { configId });
    const converted =
      type === "boolean" ? { ...rest, sessionId, configId, type, value } : { ...rest, sessionId, configId, value };
    const result = await this.#call<v1.SetSessionConfigOptionResponse>("session/set_config_option", converted, context);
    const { configOptions, ...members } = result;
    return { ...members, configOptions: updates.withOptions(configOptions) };
  }

  #session(sessionId: string): V2Session {
    return this.#agent.sessions.channel(sessionId).version as V2Session;
  }

  #isActive(sessionId: string): boolean {
    return this.#agent.sessions.find(sessionId) !== undefined;
  }

  /** Closes a session also for agents that have no handler for it. */
  async #close(params: Params<"session/close">, context: PeerContext): Promise<Result<"session/close">> {
    const session = this.#agent.sessions.find(params.sessionId);
    if (session === undefined) return {}; // the agent has deleted it meanwhile
    if (this.#handlers.has("session/close")) return this.#call("session/close", params, context);
    return this.#agent.sessions.close(session, async () => ({}));
  }

  /** @throws {RpcError} `-32002` when the session is not active on this connection. */
  #active(sessionId: string): V2Session {
    if (!this.#isActive(sessionId)) throw sessionNotFound(sessionId);
    const session = this.#session(sessionId);
    if (session.isClosing) throw sessionNotFound(sessionId);
    return session;
  }
}

function sessionNotFound(sessionId: string): RpcError {
  return new RpcError(ErrorCode.resourceNotFound, "The session does not exist", { data: { sessionId } });
}

/** The members of a context that handlers use. They are read one by one, because a context has them as accessors. */
function contextOf({ id, method }: PeerContext): Pick<PeerContext, "id" | "method"> {
  return { id, method };
}

/**
 * @throws {RpcError} `-32602` for two servers of one name, and for servers of a type that the agent can't support.
 */
function withServers(params: object, servers: readonly v2.IncomingMcpServer[] = []): object {
  const names = new Set<unknown>();
  for (const { name } of servers as readonly { name?: unknown }[]) {
    if (names.has(name)) throw invalidParams("Two MCP servers have the same name", { name });
    names.add(name);
  }
  return { ...params, mcpServers: mcpServersToV1(servers) };
}
