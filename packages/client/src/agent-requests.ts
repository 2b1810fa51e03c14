import {
  type Diagnostic,
  type Extension,
  extension,
  invalidParams,
  isRpcError,
  type RequestContext,
} from "@acp-kit/protocol";
import {
  type DeleteFileRequest,
  fileExtensions,
  onAbort,
  type RenameFileRequest,
  shorten,
} from "@acp-kit/protocol/internal";
import type {
  CreateElicitationResponse,
  IncomingCreateElicitationRequest,
  IncomingRequestPermissionRequest,
  RequestPermissionOutcome,
} from "@acp-kit/types";
import type { ClientContext } from "./client-context.js";
import type { ClientPeer } from "./client-peer.js";
import type { ConnectAgentOptions, ElicitationOf } from "./connect-options.js";
import type { OpenRequests } from "./open-requests.js";
import { fillIn } from "./permissions/announced-calls.js";
import type { PermissionBroker } from "./permissions/permission-broker.js";
import type { SessionRouter } from "./session/session-router.js";
import type { TranscriptEvent } from "./transcript/transcript-event.js";
import { watchTerminals } from "./transcript/watch-terminals.js";

/** Options of {@link AgentRequests}. */
export interface AgentRequestsOptions {
  readonly peer: ClientPeer;
  readonly options: ConnectAgentOptions;
  readonly sessions: SessionRouter;
  readonly requests: OpenRequests;
  readonly permissions: PermissionBroker;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Handles the agent's requests over one connection: permissions, files, terminals, elicitations. */
export class AgentRequests {
  readonly #peer: ClientPeer;
  readonly #options: ConnectAgentOptions;
  readonly #sessions: SessionRouter;
  readonly #requests: OpenRequests;
  readonly #permissions: PermissionBroker;
  readonly #report: (diagnostic: Diagnostic) => void;

  constructor({ peer, options, sessions, requests, permissions, report }: AgentRequestsOptions) {
    this.#peer = peer;
    this.#options = options;
    this.#sessions = sessions;
    this.#requests = requests;
    this.#permissions = permissions;
    this.#report = report;
  }

  /**
   * Registers the handlers. `agentGone` aborts when the agent has ended its output: from then on, the agent no longer
   * reads responses.
   */
  register(agentGone: AbortSignal): void {
    const peer = this.#peer;
    onAbort(agentGone, () => {
      this.#permissions.cancelAll("connection_closed");
      this.#requests.cancelAll("The agent disconnected");
    });
    const { files, elicitation, extensions = {} } = this.#options;
    for (const [method, one] of Object.entries(extensions)) peer.handleExtension(method, this.#extension(one));
    const terminals =
      this.#options.terminals &&
      watchTerminals(this.#options.terminals, (sessionId, event) => this.#log(sessionId, event));
    peer.handle("session/request_permission", (params, context) => {
      return this.#pausing(params.sessionId, this.#permission(params, context));
    });
    if (files?.readTextFile) {
      const { readTextFile } = files;
      peer.handle(
        "fs/read_text_file",
        this.#handler((params, context) => readTextFile.call(files, params, context)),
      );
    }
    if (files?.writeTextFile) {
      const { writeTextFile } = files;
      peer.handle(
        "fs/write_text_file",
        this.#handler((params, context) => writeTextFile.call(files, params, context)),
      );
    }
    if (files?.deleteFile) {
      const { deleteFile } = files;
      const { method, params } = fileExtensions.deleteFile;
      const handler = this.#handler<DeleteFileRequest, object>((params, context) =>
        deleteFile.call(files, params, context),
      );
      peer.handleExtension(method, extension(params, handler));
    }
    if (files?.renameFile) {
      const { renameFile } = files;
      const { method, params } = fileExtensions.renameFile;
      const handler = this.#handler<RenameFileRequest, object>((params, context) =>
        renameFile.call(files, params, context),
      );
      peer.handleExtension(method, extension(params, handler));
    }
    if (terminals) {
      peer.handle(
        "terminal/create",
        this.#handler((params, context) => terminals.createTerminal(params, context)),
      );
      peer.handle(
        "terminal/output",
        this.#handler((params, context) => terminals.terminalOutput(params, context)),
      );
      peer.handle(
        "terminal/wait_for_exit",
        this.#handler((params, context) => terminals.waitForTerminalExit(params, context)),
      );
      peer.handle(
        "terminal/kill",
        this.#handler((params, context) => terminals.killTerminal(params, context)),
      );
      peer.handle(
        "terminal/release",
        this.#handler((params, context) => terminals.releaseTerminal(params, context)),
      );
    }
    if (elicitation) {
      peer.handle("elicitation/create", (params, { signal }) => {
        const sessionId = "sessionId" in params && typeof params.sessionId === "string" ? params.sessionId : "";
        return this.#pausing(sessionId, this.#elicitation(params, sessionId, signal));
      });
      peer.handleNotification("elicitation/complete", ({ elicitationId }) => elicitation.onComplete?.(elicitationId));
    }
  }

  /**
   * Wraps a handler: adds the session to its context, stops the turn's idle timer while the handler runs, and responds
   * with `{}` if the handler returns `undefined`.
   */
  #handler<Params extends { readonly sessionId: string }, Result>(
    // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a result returns nothing
    handler: (params: Params, context: ClientContext) => Result | void | PromiseLike<Result | void>,
  ): (params: Params, context: RequestContext) => Promise<Result> {
    return (params, context) => {
      const run = async (): Promise<Result> =>
        ((await handler(params, this.#context(params, context))) ?? {}) as Result;
      return this.#pausing(params.sessionId, run());
    };
  }

  /**
   * Wraps an extension: stops the turn's idle timer while the agent waits for a response to a request with a
   * `sessionId`.
   */
  #extension({ kind, handle }: Extension): Extension {
    if (kind === "notification") return { kind, handle };
    const run = async (...args: Parameters<typeof handle>): Promise<unknown> => handle(...args);
    return {
      kind,
      handle: (params, context) => {
        const { sessionId } = (params ?? {}) as { readonly sessionId?: unknown };
        const response = run(params, context);
        return typeof sessionId === "string" ? this.#pausing(sessionId, response) : response;
      },
    };
  }

  async #pausing<Result>(sessionId: string, response: Promise<Result>): Promise<Result> {
    const resume = this.#sessions.get(sessionId)?.turns.current?.waitForResponse();
    try {
      return await response;
    } finally {
      resume?.();
    }
  }

  #log(sessionId: string, event: TranscriptEvent): void {
    this.#sessions.stateOf(sessionId)?.transcript.apply(event);
  }

  /**
   * Waits until the loop over the running turn has received all updates, so that the user sees the reason before the
   * question.
   */
  #shown(sessionId: string): Promise<void> | undefined {
    return this.#sessions.get(sessionId)?.turns.current?.updates.reached();
  }

  async #permission(
    params: IncomingRequestPermissionRequest,
    context: RequestContext,
  ): Promise<{ outcome: RequestPermissionOutcome }> {
    const { sessionId, toolCall, options } = params;
    const { toolCallId } = toolCall;
    const tooLate = this.#sessions.isCancelling(sessionId, toolCallId) ? "turn_cancelled" : undefined;
    const announced = this.#sessions.stateOf(sessionId)?.calls?.get(toolCallId);
    const filled = fillIn(toolCall, announced);
    const { title } = params as { readonly title?: string }; // in version 2, a request has a title of its own
    const request = { ...params, toolCall: title && !filled.title ? { ...filled, title } : filled };
    const requestId = String(context.id);
    this.#log(sessionId, { type: "permission_requested", requestId, toolCall, options });
    const shown = this.#shown(sessionId);
    const outcome = await this.#permissions.decide(request, this.#context(params, context), tooLate, shown);
    this.#log(sessionId, { type: "permission_decided", requestId, toolCallId, outcome });
    return { outcome };
  }

  async #elicitation(
    request: IncomingCreateElicitationRequest,
    sessionId: string,
    signal: AbortSignal,
  ): Promise<CreateElicitationResponse> {
    const handlers = this.#options.elicitation ?? {};
    const { mode } = request;
    const handler = mode === "form" || mode === "url" ? handlers[mode] : undefined;
    if (handler === undefined) {
      const name = shorten(String(mode));
      throw invalidParams(`Invalid params: mode: this client did not advertise ${name}`, { mode: name });
    }
    const { toolCallId } = request as { readonly toolCallId?: string };
    if (this.#sessions.isCancelling(sessionId, toolCallId)) return { action: "cancel" };
    const prompt = async (context: ClientContext): Promise<CreateElicitationResponse> => {
      await this.#shown(sessionId);
      if (context.signal.aborted) return { action: "cancel" };
      return handler.call(handlers, request as ElicitationOf<"form"> & ElicitationOf<"url">, context);
    };
    return (await this.#untilCancelled({ sessionId, toolCallId }, signal, prompt)) ?? { action: "cancel" };
  }

  /**
   * Runs the handler of an elicitation. Resolves with `undefined` if the handler fails or the request is cancelled
   * first.
   */
  async #untilCancelled<Result>(
    { sessionId, toolCallId }: { readonly sessionId: string; readonly toolCallId: string | undefined },
    signal: AbortSignal,
    run: (context: ClientContext) => Promise<Result>,
  ): Promise<Result | undefined> {
    const controller = new AbortController();
    const abort = (reason: unknown): void => controller.abort(reason);
    const forward = (): void => abort(signal.reason);
    onAbort(signal, forward);
    const requests = this.#requests;
    const remove = requests.add(sessionId, abort, toolCallId);
    const cancelled = new Promise<undefined>((resolve) => {
      onAbort(controller.signal, () => resolve(undefined));
    });
    const response = run({
      session: this.#sessions.get(sessionId),
      signal: controller.signal,
      get sessionSignal() {
        return requests.signalOf(sessionId);
      },
    }).catch((cause: unknown) => {
      if (isRpcError(cause)) throw cause;
      if (!controller.signal.aborted)
        this.#report({ code: "handler_failed", message: "An elicitation handler failed", cause });
      return undefined;
    });
    response.catch(() => {});
    try {
      return await Promise.race([response, cancelled]);
    } finally {
      signal.removeEventListener("abort", forward);
      remove();
    }
  }

  #context({ sessionId }: { readonly sessionId: string }, context: RequestContext): ClientContext {
    const requests = this.#requests;
    return {
      session: this.#sessions.get(sessionId),
      get signal() {
        return context.signal;
      },
      get sessionSignal() {
        return requests.signalOf(sessionId);
      },
    };
  }
}
