import {
  type DeleteFileRequest,
  type Diagnostic,
  extension,
  fileExtensions,
  invalidParams,
  isRpcError,
  onAbort,
  type RenameFileRequest,
  type RequestContext,
  shorten,
} from "@acp-kit/protocol";
import type {
  CreateElicitationResponse,
  IncomingCreateElicitationRequest,
  IncomingRequestPermissionRequest,
  RequestPermissionOutcome,
} from "@acp-kit/types";
import type { ClientPeer } from "./client-peer.js";
import type { ClientContext, ConnectOptions, ElicitationOf } from "./connect-options.js";
import { fillIn } from "./permissions/announced-calls.js";
import type { PermissionBroker } from "./permissions/permission-broker.js";
import type { SessionRegistry } from "./session-registry.js";
import { SessionSignals } from "./session-signals.js";
import { watchTerminals } from "./transcript/watch-terminals.js";

/** What {@link AgentRequests} work with. */
export interface AgentRequestsOptions {
  readonly peer: ClientPeer;
  readonly options: ConnectOptions;
  readonly sessions: SessionRegistry;
  readonly permissions: PermissionBroker;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly agentGone: AbortSignal;
}

/** Answers what the agent asks over one connection: permissions, files, terminals, elicitations. */
export class AgentRequests {
  readonly #peer: ClientPeer;
  readonly #options: ConnectOptions;
  readonly #sessions: SessionRegistry;
  readonly #permissions: PermissionBroker;
  readonly #report: (diagnostic: Diagnostic) => void;
  /** Ends what waits for a person, by session. */
  readonly #open = new Map<string, Set<(reason: unknown) => void>>();
  readonly #signals: SessionSignals;

  /** Registers the handlers. `agentGone` aborts when the agent has ended its output: nobody waits for answers any more. */
  constructor({ peer, options, sessions, permissions, report, agentGone }: AgentRequestsOptions) {
    this.#peer = peer;
    this.#options = options;
    this.#sessions = sessions;
    this.#signals = new SessionSignals(peer.connection.closed, (sessionId) => sessions.get(sessionId) !== undefined);
    this.#permissions = permissions;
    this.#report = report;
    this.#register();
    onAbort(agentGone, () => this.#cancelAll());
  }

  /** The turn of a session is being cancelled: whatever waits for a person there is answered. */
  cancel(sessionId: string): void {
    this.#permissions.cancel("turn_cancelled", sessionId);
    for (const abort of [...(this.#open.get(sessionId) ?? [])])
      abort(new DOMException("The turn was cancelled", "AbortError"));
  }

  /** The session was closed: what was started for it ends. */
  close(sessionId: string): void {
    this.#permissions.cancel("session_closed", sessionId);
    this.#signals.abort(sessionId);
  }

  #cancelAll(): void {
    this.#permissions.cancel("connection_closed");
    const reason = new DOMException("The agent has gone", "AbortError");
    for (const open of this.#open.values()) for (const abort of [...open]) abort(reason);
  }

  #register(): void {
    const peer = this.#peer;
    const { files, elicitation } = this.#options;
    const terminals =
      this.#options.terminals &&
      watchTerminals(this.#options.terminals, (sessionId, event) => this.#sessions.told(sessionId, event));
    peer.handle("session/request_permission", (params, context) => {
      return this.#while(params.sessionId, this.#permission(params, context));
    });
    if (files?.readTextFile) {
      const { readTextFile } = files;
      peer.handle(
        "fs/read_text_file",
        this.#answer((params, context) => readTextFile.call(files, params, context)),
      );
    }
    if (files?.writeTextFile) {
      const { writeTextFile } = files;
      peer.handle(
        "fs/write_text_file",
        this.#answer((params, context) => writeTextFile.call(files, params, context)),
      );
    }
    if (files?.deleteFile) {
      const { deleteFile } = files;
      const { method, params } = fileExtensions.deleteFile;
      const answer = this.#answer<DeleteFileRequest, object>((params, context) =>
        deleteFile.call(files, params, context),
      );
      peer.handleExtension(method, extension(params, answer));
    }
    if (files?.renameFile) {
      const { renameFile } = files;
      const { method, params } = fileExtensions.renameFile;
      const answer = this.#answer<RenameFileRequest, object>((params, context) =>
        renameFile.call(files, params, context),
      );
      peer.handleExtension(method, extension(params, answer));
    }
    if (terminals) {
      peer.handle(
        "terminal/create",
        this.#answer((params, context) => terminals.createTerminal(params, context)),
      );
      peer.handle(
        "terminal/output",
        this.#answer((params, context) => terminals.terminalOutput(params, context)),
      );
      peer.handle(
        "terminal/wait_for_exit",
        this.#answer((params, context) => terminals.waitForTerminalExit(params, context)),
      );
      peer.handle(
        "terminal/kill",
        this.#answer((params, context) => terminals.killTerminal(params, context)),
      );
      peer.handle(
        "terminal/release",
        this.#answer((params, context) => terminals.releaseTerminal(params, context)),
      );
    }
    if (elicitation) {
      peer.handle("elicitation/create", (params, { signal }) => {
        const sessionId = "sessionId" in params && typeof params.sessionId === "string" ? params.sessionId : "";
        return this.#while(sessionId, this.#elicitation(params, sessionId, signal));
      });
      peer.handleNotification("elicitation/complete", ({ elicitationId }) => elicitation.onComplete?.(elicitationId));
    }
  }

  /** A handler that knows the session it is asked for, and whose time is not counted as the agent's. Nothing is answered as `{}`. */
  #answer<Params extends { readonly sessionId: string }, Result>(
    // biome-ignore lint/suspicious/noConfusingVoidType: a handler with nothing to say just ends
    handler: (params: Params, context: ClientContext) => Result | void | PromiseLike<Result | void>,
  ): (params: Params, context: RequestContext) => Promise<Result> {
    return (params, context) => {
      const run = async (): Promise<Result> =>
        ((await handler(params, this.#context(params, context))) ?? {}) as Result;
      return this.#while(params.sessionId, run());
    };
  }

  async #while<Result>(sessionId: string, answer: Promise<Result>): Promise<Result> {
    const done = this.#sessions.awaited(sessionId);
    try {
      return await answer;
    } finally {
      done();
    }
  }

  async #permission(
    asked: IncomingRequestPermissionRequest,
    context: RequestContext,
  ): Promise<{ outcome: RequestPermissionOutcome }> {
    const tooLate = this.#sessions.isCancelling(asked.sessionId) ? "turn_cancelled" : undefined;
    const request = { ...asked, toolCall: fillIn(asked.toolCall, this.#sessions.announced(asked)) };
    const { sessionId, toolCall, options } = asked;
    const requestId = String(context.id);
    this.#sessions.told(sessionId, { type: "permission_asked", requestId, toolCall, options });
    const outcome = await this.#permissions.decide(request, this.#context(asked, context), tooLate);
    const { toolCallId } = toolCall;
    this.#sessions.told(sessionId, { type: "permission_answered", requestId, toolCallId, outcome });
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
    const ask = async (context: ClientContext): Promise<CreateElicitationResponse> => {
      return handler.call(handlers, request as ElicitationOf<"form"> & ElicitationOf<"url">, context);
    };
    return (await this.#untilCancelled(sessionId, signal, ask, "An elicitation handler")) ?? { action: "cancel" };
  }

  /** Runs a handler that waits for a person. `undefined` when it was cancelled, or failed, first. */
  async #untilCancelled<Result>(
    sessionId: string,
    signal: AbortSignal,
    run: (context: ClientContext) => Promise<Result>,
    who: string,
  ): Promise<Result | undefined> {
    const controller = new AbortController();
    const abort = (reason: unknown): void => controller.abort(reason);
    const forward = (): void => abort(signal.reason);
    onAbort(signal, forward);
    const open = this.#open.get(sessionId) ?? new Set();
    this.#open.set(sessionId, open.add(abort));
    const signals = this.#signals;
    const cancelled = new Promise<undefined>((resolve) => {
      onAbort(controller.signal, () => resolve(undefined));
    });
    const answered = run({
      session: this.#sessions.get(sessionId),
      signal: controller.signal,
      get sessionSignal() {
        return signals.get(sessionId);
      },
    }).catch((cause: unknown) => {
      if (isRpcError(cause)) throw cause;
      if (!controller.signal.aborted) this.#report({ code: "handler_failed", message: `${who} failed`, cause });
      return undefined;
    });
    answered.catch(() => {});
    try {
      return await Promise.race([answered, cancelled]);
    } finally {
      signal.removeEventListener("abort", forward);
      open.delete(abort);
      if (open.size === 0) this.#open.delete(sessionId);
    }
  }

  #context({ sessionId }: { readonly sessionId: string }, context: RequestContext): ClientContext {
    const signals = this.#signals;
    return {
      session: this.#sessions.get(sessionId),
      get signal() {
        return context.signal;
      },
      get sessionSignal() {
        return signals.get(sessionId);
      },
    };
  }
}
