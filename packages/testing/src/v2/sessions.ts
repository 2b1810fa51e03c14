import { isRpcError, JsonRpcErrorCode, type RequestId, RpcError } from "@acp-kit/jsonrpc";
import type { BackgroundWork, IncomingPromptRequest, ResumeSessionRequest } from "@acp-kit/types/v2";
import type { Clock } from "../clock.js";
import { createIds } from "../ids.js";
import type { PlayedScript } from "../script/play.js";
import { type IncomingMessage, noResponse } from "../script/scripted-peer.js";
import { textOf } from "../text-of.js";
import { PlayedWork } from "./played-work.js";
import type { V2PlayWork, V2ScriptedAgent } from "./script-work.js";

const RESOURCE_NOT_FOUND = -32002;
const REQUEST_CANCELLED = -32800;

export type Update = { readonly sessionUpdate: string };

/** A session of a scripted agent of version 2. */
export interface ScriptedSession {
  readonly sessionId: string;
  readonly cwd: string;
  isOpen: boolean;
  /** The updates that `session/resume` replays. */
  readonly history: Update[];
  /** The inserted prompts, and the work of the agent itself, that are still running. */
  readonly running: Set<PlayedWork>;
  /** Prompts that are not inserted. */
  readonly held: Set<PlayedWork>;
  state: string;
  background: readonly BackgroundWork[] | undefined;
  /** Called when no work is running or held. */
  readonly onIdle: Set<() => void>;
}

/** The sessions of one connection: their states, their histories, and the work in them. */
export class Sessions {
  readonly #partFor: (text: string) => V2PlayWork;
  readonly #clock: Clock;
  readonly #peer: () => { readonly agent: V2ScriptedAgent; readonly played: PlayedScript };
  readonly #ids = createIds();
  readonly #sessions = new Map<string, ScriptedSession>();

  constructor(
    partFor: (text: string) => V2PlayWork,
    saved: ReadonlyMap<string, readonly Update[]>,
    clock: Clock,
    peer: () => { readonly agent: V2ScriptedAgent; readonly played: PlayedScript },
  ) {
    this.#partFor = partFor;
    this.#clock = clock;
    this.#peer = peer;
    for (const [sessionId, history] of saved) this.#add({ sessionId, cwd: "/work", isOpen: false, history });
  }

  /** The reactions to the methods of sessions. */
  readonly usual = {
    "session/new": ({ params }: IncomingMessage): object => {
      const { cwd = "/work" } = (params ?? {}) as { readonly cwd?: string };
      const { sessionId } = this.#add({ sessionId: this.#ids("session"), cwd, isOpen: true });
      return { sessionId };
    },
    "session/list": (): object => ({
      sessions: Array.from(this.#sessions.values(), ({ sessionId, cwd }) => ({ sessionId, cwd })),
    }),
    "session/resume": ({ params }: IncomingMessage): object => {
      const { sessionId, replayFrom } = (params ?? {}) as ResumeSessionRequest;
      const session = this.#known(sessionId);
      if (replayFrom && replayFrom.type !== "start")
        throw new RpcError(JsonRpcErrorCode.invalidParams, `The script can't replay from ${replayFrom.type}`);
      session.isOpen = true;
      if (replayFrom) for (const update of session.history) this.#notify(sessionId, update);
      this.state(session, session.state);
      return {};
    },
    "session/close": async ({ params }: IncomingMessage): Promise<object> => {
      const session = this.#known((params as { readonly sessionId: string } | undefined)?.sessionId);
      cancelAll(session);
      if (session.running.size + session.held.size > 0)
        await new Promise<void>((resolve) => session.onIdle.add(resolve));
      session.isOpen = false;
      return {};
    },
    "session/cancel": ({ params }: IncomingMessage): void => {
      const { sessionId } = (params ?? {}) as { readonly sessionId?: string };
      const session = this.#sessions.get(sessionId ?? "");
      if (session !== undefined) cancelAll(session);
    },
    "session/prompt": ({ id, params, signal }: IncomingMessage): unknown => {
      const { sessionId, prompt } = (params ?? {}) as IncomingPromptRequest;
      const session = this.#known(sessionId);
      if (!session.isOpen) throw notFound(sessionId);
      const work = this.#work(session, id as RequestId, prompt, signal);
      session.held.add(work);
      void this.#run(work, this.#partFor(textOf(prompt)));
      return noResponse;
    },
  };

  /** Runs work that no prompt has started. */
  async start(sessionId: string, play: V2PlayWork): Promise<void> {
    const work = this.#work(this.#known(sessionId), undefined, [], new AbortController().signal);
    work.insert();
    await this.#run(work, play);
  }

  /** Sets the background work that each state lists, and repeats the current state with it. */
  setBackground(sessionId: string, background: readonly BackgroundWork[]): void {
    const session = this.#known(sessionId);
    session.background = background;
    this.state(session, session.state);
  }

  /** Sends an update and adds it to the history. */
  update(sessionId: string, update: Update): void {
    if (update.sessionUpdate !== "state_update") this.#sessions.get(sessionId)?.history.push(update);
    this.#notify(sessionId, update);
  }

  state(session: ScriptedSession, state: string, more: object = {}): void {
    session.state = state;
    const { background } = session;
    this.#notify(session.sessionId, {
      sessionUpdate: "state_update",
      state,
      ...more,
      ...(background !== undefined && { background }),
    } as Update);
  }

  /** Adds the prompt of some work to the conversation. */
  insert(work: PlayedWork): void {
    const { session, id } = work;
    session.held.delete(work);
    session.running.add(work);
    const messageId = this.#ids("user");
    if (id !== undefined)
      this.update(session.sessionId, { sessionUpdate: "user_message", messageId, content: work.prompt } as Update);
    if (session.state !== "running") this.state(session, "running");
    if (id !== undefined) this.#respond(() => this.#peer().agent.respond(id, { messageId }));
  }

  #work(
    session: ScriptedSession,
    id: RequestId | undefined,
    prompt: IncomingPromptRequest["prompt"],
    signal: AbortSignal,
  ): PlayedWork {
    const { agent } = this.#peer();
    return new PlayedWork({ agent, clock: this.#clock, id, ids: this.#ids, prompt, session, sessions: this, signal });
  }

  async #run(work: PlayedWork, play: V2PlayWork): Promise<void> {
    try {
      const result = await play(work);
      if (result === noResponse) return;
      if (!work.isInserted && work.signal.aborted) this.#refuse(work, REQUEST_CANCELLED, "The prompt was cancelled");
      else this.#end(work, { stopReason: result ?? (work.signal.aborted ? "cancelled" : "end_turn") });
    } catch (error) {
      if (!isRpcError(error)) this.#peer().played.failures.push(error);
      const { code, message, data } = isRpcError(error)
        ? error
        : { code: JsonRpcErrorCode.internalError, message: `The script failed: ${error}`, data: undefined };
      if (!work.isInserted) this.#refuse(work, code, message, data);
      else
        this.#end(
          work,
          work.signal.aborted
            ? { stopReason: "cancelled" }
            : { stopReason: "error", error: { code, message, ...(data !== undefined && { data }) } },
        );
    }
  }

  #refuse(work: PlayedWork, code: number, message: string, data?: unknown): void {
    work.session.held.delete(work);
    this.#respond(() => this.#peer().agent.refuse(work.id as RequestId, code, message, data));
    settle(work.session);
  }

  #end(work: PlayedWork, end: object): void {
    const { session } = work;
    work.insert();
    session.running.delete(work);
    if (session.running.size === 0) this.state(session, "idle", end);
    settle(session);
  }

  /** Sends the response to a prompt, unless the test holds it back. */
  #respond(respond: () => void): void {
    this.#peer().played.respondLater("session/prompt", respond);
  }

  #notify(sessionId: string, update: Update): void {
    this.#peer().agent.notify("session/update", { sessionId, update });
  }

  #known(sessionId: string | undefined): ScriptedSession {
    const session = this.#sessions.get(sessionId ?? "");
    if (session === undefined) throw notFound(sessionId);
    return session;
  }

  #add({
    sessionId,
    cwd,
    isOpen,
    history = [],
  }: {
    readonly sessionId: string;
    readonly cwd: string;
    readonly isOpen: boolean;
    readonly history?: readonly Update[];
  }): ScriptedSession {
    const session: ScriptedSession = {
      sessionId,
      cwd,
      isOpen,
      history: [...history],
      running: new Set(),
      held: new Set(),
      state: "idle",
      background: undefined,
      onIdle: new Set(),
    };
    this.#sessions.set(sessionId, session);
    return session;
  }
}

function cancelAll({ running, held }: ScriptedSession): void {
  for (const work of [...running, ...held]) work.cancel();
}

function settle({ running, held, onIdle }: ScriptedSession): void {
  if (running.size + held.size > 0) return;
  for (const resolve of onIdle) resolve();
  onIdle.clear();
}

function notFound(sessionId: unknown): RpcError {
  return new RpcError(RESOURCE_NOT_FOUND, "The script has no such open session", { data: { sessionId } });
}
