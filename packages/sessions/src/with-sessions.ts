import {
  type AgentContext,
  type AgentDefinition,
  type ClientConnection,
  ErrorCode,
  invalidParams,
  RpcError,
  sessionNotFound,
} from "@acp-kit/agent";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import type {
  IncomingLoadSessionRequest,
  IncomingResumeSessionRequest,
  LoadSessionResponse,
  SessionUpdate,
} from "@acp-kit/types";
import { checkRequest } from "./check-request.js";
import { LeaseLostError, SessionHeldError, StoreError } from "./errors.js";
import type { LiveSession } from "./live-session.js";
import { LiveSessions } from "./live-sessions.js";
import type { StoredEntry } from "./log-entry.js";
import { replayOf } from "./replay.js";
import type { OwnedSessions, SessionPage, SessionQuery, SessionRecord, SessionStore } from "./session-store.js";

/** A saved session that a client opens, from which the agent restores its state. */
export interface RestoredSession {
  readonly sessionId: string;
  /** The client's request, with the current `cwd`, additional directories and MCP servers. */
  readonly request: IncomingLoadSessionRequest | IncomingResumeSessionRequest;
  /** The data about the session that `session/list` returns. */
  readonly record: SessionRecord;
  /** All entries of the session's log, in order. */
  readonly history: readonly StoredEntry[];
}

/** Options of {@link withSessions}. */
export interface WithSessionsOptions {
  /** Returns the owner of a connection's sessions. By default, all have the same, as in an agent for one user. */
  readonly owner?: (connection: ClientConnection) => string;
  /**
   * Restores the agent's state of a session, before the history is replayed to the client. The returned value becomes
   * part of the response: current modes and config options.
   */
  readonly restore?: (
    session: RestoredSession,
    context: AgentContext,
    // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return value is meant
  ) => LoadSessionResponse | void | PromiseLike<LoadSessionResponse | void>;
  /** The number of sessions on a page of `session/list`: an integer of at least 1, or `Infinity`. The default is 50. */
  readonly pageSize?: number;
  /** Whether the first prompt's beginning is the title of a session without one. The default is `true`. */
  readonly titleFromPrompt?: boolean;
}

/** The members of an agent's definition that {@link withSessions} adds. */
type Provided = "loadSession" | "resumeSession" | "listSessions" | "beforeUpdate" | "cancelElsewhere";

/**
 * Adds persisted sessions to an agent: the agent advertises and handles `session/list`, `session/load`,
 * `session/resume`, `session/close` and `session/delete`. Every update is stored before it is sent, so that a crash of
 * the agent loses no update that a client has received.
 *
 * - `session/load` replays the history as updates before the response; `session/resume` replays nothing. With
 *   `keepTurns`, both join a running turn that another connection of the same process started.
 * - One process at a time writes a session; opening a session that another running process writes is refused with
 *   `-32600`.
 *
 * @throws {TypeError} when the definition already has a handler for one of these methods, and when `pageSize` is
 * invalid.
 * @see https://agentclientprotocol.com/protocol/v1/session-setup
 *
 * @example
 * ```ts
 * const agent = createAgent(withSessions(definition, memoryStore(), { restore: ({ history }) => remember(history) }));
 * ```
 */
export function withSessions(
  definition: Omit<AgentDefinition, Provided>,
  store: SessionStore,
  options: WithSessionsOptions = {},
): AgentDefinition {
  checkOptions("withSessions", options, optionKinds);
  const { owner = () => "local", restore, pageSize = 50, titleFromPrompt = true } = options;
  const taken = (["loadSession", "resumeSession", "listSessions", "beforeUpdate", "cancelElsewhere"] as const).filter(
    (name) => name in definition,
  );
  if (taken.length > 0)
    throw new TypeError(`withSessions adds the handlers ${taken.join(", ")}: remove them from the definition`);
  if (!(pageSize >= 1) || (pageSize !== Number.POSITIVE_INFINITY && !Number.isInteger(pageSize)))
    throw new TypeError(`withSessions: pageSize is ${pageSize}; it must be an integer of at least 1, or Infinity`);
  const live = new LiveSessions();
  /** The running deletions of sessions, by id. Each promise resolves when its deletion has ended or failed. */
  const deletions = new Map<string, Promise<void>>();

  const open = async (
    request: IncomingLoadSessionRequest | IncomingResumeSessionRequest,
    context: AgentContext,
    replay: boolean,
  ): Promise<LoadSessionResponse> => {
    checkRequest(request);
    const { sessionId } = request;
    const { connection } = context;
    const name = owner(connection);
    const sessions = store.owner(name);
    const record = await sessions.find(sessionId);
    if (record === undefined) throw sessionNotFound(sessionId);
    const handle = context.session(sessionId);
    // The connection follows the session before the log is read: see {@link Follower}.
    const opened = await live.follow(record, { sessions, owner: name, connection, handle });
    const { session, follower, wasFollowing } = opened;
    try {
      const history = await sessions.read(sessionId);
      const restored = await restore?.({ sessionId, request, record, history }, context);
      const response = (restored as LoadSessionResponse | undefined) ?? {};
      if (replay) {
        for (const update of replayOf(history)) await handle.update(live.asLogged(update));
      } else {
        const usage = lastUsageOf(history);
        if (usage !== undefined) void handle.update(live.asLogged(usage)); // sent after the response
        const { title } = record;
        if (title !== null) void handle.update(live.asLogged({ sessionUpdate: "session_info_update", title }));
      }
      follower.goLive(history.at(-1)?.seq ?? 0);
      session.showTurn(connection, follower);
      return response;
    } catch (error) {
      if (wasFollowing) follower.goLive();
      else await session.leave(connection);
      throw error;
    }
  };

  const { setSessionMode, setSessionConfigOption } = definition;
  /** The session that a connection has open, if the connection still acts for the owner who opened it. */
  const owned = (sessionId: string, connection: ClientConnection): LiveSession => {
    const session = live.findOwned(sessionId, owner(connection));
    if (session === undefined) throw sessionNotFound(sessionId);
    return session;
  };

  return {
    ...definition,

    async newSession(params, context) {
      checkRequest(params);
      const response = await definition.newSession(params, context);
      const { sessionId } = response;
      const name = owner(context.connection);
      const sessions = store.owner(name);
      await reported(async () => {
        await sessions.create({
          sessionId,
          cwd: params.cwd,
          additionalDirectories: params.additionalDirectories ?? [],
        });
        const { connection } = context;
        const handle = context.session(sessionId);
        const record = { sessionId, title: null };
        const { follower } = await live.follow(record, { sessions, owner: name, connection, handle });
        follower.goLive();
      });
      return response;
    },

    loadSession: (params, context) => reported(() => open(params, context, true)),
    resumeSession: (params, context) => reported(() => open(params, context, false)),

    async listSessions({ cwd, cursor }, { connection }) {
      checkRequest({ cwd, cursor });
      const query = { ...(cwd != null && { cwd }), ...(cursor != null && { cursor }), limit: pageSize };
      const { sessions, nextCursor } = await reported(() => listed(store.owner(owner(connection)), query));
      return {
        sessions: sessions.map(({ sessionId, cwd, title, updatedAt, additionalDirectories }) => ({
          sessionId,
          cwd,
          updatedAt,
          ...(title !== null && { title }),
          ...(additionalDirectories.length > 0 && { additionalDirectories: [...additionalDirectories] }),
        })),
        ...(nextCursor !== undefined && { nextCursor }),
      };
    },

    async closeSession(params, context) {
      // The session may be gone already, because another connection has deleted it. Only a session of another owner is
      // refused.
      const session = live.find(params.sessionId);
      if (session !== undefined && session.owner !== owner(context.connection)) throw sessionNotFound(params.sessionId);
      // The definition's handler runs first. If it fails, the session stays open, and the client can use it or try
      // again.
      const response = await definition.closeSession?.(params, context);
      await reported(async () => live.find(params.sessionId)?.leave(context.connection));
      return response;
    },

    async deleteSession(params, context) {
      checkRequest(params);
      const { sessionId } = params;
      const name = owner(context.connection);
      const sessions = store.owner(name);
      for (;;) {
        // If the session belongs to another owner, the definition's handler is not called, and the client gets the same
        // response as for a missing session.
        if ((await reported(async () => sessions.find(sessionId))) === undefined) return {};
        const other = deletions.get(sessionId);
        if (other === undefined) break;
        await other; // another request deletes the session; if it fails, this request tries again
      }
      const remove = async () => {
        await live.findOwned(sessionId, name)?.stop();
        const log = await reported(async () => sessions.open(sessionId)); // refused while another process writes it
        try {
          // The definition's handler runs first. If it fails, the session still exists, and the client can try again.
          const response = await definition.deleteSession?.(params, context);
          await reported(async () => sessions.delete(sessionId));
          return response;
        } catch (error) {
          await log.release();
          throw error;
        }
      };
      const removed = remove();
      const end = (): void => void deletions.delete(sessionId);
      deletions.set(sessionId, removed.then(end, end));
      return removed;
    },

    beforeUpdate: (params, connection) => live.log(params, connection),

    cancelElsewhere({ sessionId }, { connection }) {
      const session = live.findOwned(sessionId, owner(connection));
      if (session?.isFollowedBy(connection)) session.cancel();
    },

    ...(setSessionMode && {
      setSessionMode(params, context) {
        owned(params.sessionId, context.connection);
        return setSessionMode(params, context);
      },
    }),

    ...(setSessionConfigOption && {
      setSessionConfigOption(params, context) {
        owned(params.sessionId, context.connection);
        return setSessionConfigOption(params, context);
      },
    }),

    async prompt(turn, context) {
      const session = owned(turn.sessionId, context.connection);
      checkRequest({ prompt: turn.prompt });
      return reported(() =>
        session.play(turn, context.connection, async () => definition.prompt(turn, context), titleFromPrompt),
      );
    },
  };
}

const optionKinds: OptionKinds<WithSessionsOptions> = {
  owner: "function",
  restore: "function",
  pageSize: "value",
  titleFromPrompt: "value",
};

function lastUsageOf(history: readonly StoredEntry[]): SessionUpdate | undefined {
  const last = history.findLast(
    ({ entry }) => entry.type === "update" && entry.update.sessionUpdate === "usage_update",
  );
  return last?.entry.type === "update" ? last.entry.update : undefined;
}

async function listed(sessions: OwnedSessions, query: SessionQuery): Promise<SessionPage> {
  try {
    return await sessions.list(query);
  } catch (error) {
    if (error instanceof RangeError) throw invalidParams("Invalid params: cursor: not a cursor of this list", {});
    throw error;
  }
}

/** Runs `work`. If the store fails, the error for the client names neither the file nor another process. */
async function reported<Result>(work: () => Result | PromiseLike<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SessionHeldError || error instanceof LeaseLostError) {
      const { sessionId, cause = error } = error;
      const isHeld = error instanceof SessionHeldError;
      const why = isHeld ? "has the session open" : "has taken the session over, or the session was deleted";
      throw new RpcError(ErrorCode.invalidRequest, `Another process ${why}`, {
        data: { sessionId },
        cause,
      });
    }
    if (error instanceof StoreError) {
      throw new RpcError(ErrorCode.internalError, `The session store failed (${error.code})`, {
        data: { code: error.code },
        cause: error,
      });
    }
    throw error;
  }
}
