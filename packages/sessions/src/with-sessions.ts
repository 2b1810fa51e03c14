import {
  type AgentConnection,
  type AgentContext,
  type AgentDefinition,
  ErrorCode,
  invalidParams,
  RpcError,
  sessionNotFound,
  type Turn,
} from "@acp-kit/agent";
import type {
  IncomingLoadSessionRequest,
  IncomingResumeSessionRequest,
  LoadSessionResponse,
  SessionUpdate,
} from "@acp-kit/types";
import { LeaseLostError, SessionHeldError } from "./errors.js";
import { LiveSessions } from "./live-sessions.js";
import type { StoredEntry } from "./log-entry.js";
import { replayOf } from "./replay.js";
import type { OwnedSessions, SessionPage, SessionQuery, SessionRecord, SessionStore } from "./session-store.js";

/** A session that was opened again, for the agent to restore what it knows of it. */
export interface RestoredSession {
  readonly sessionId: string;
  /** What the client sent: `cwd`, roots and MCP servers of now. */
  readonly request: IncomingLoadSessionRequest | IncomingResumeSessionRequest;
  /** What lists show of it. */
  readonly record: SessionRecord;
  /** Everything that happened in it, in order. */
  readonly history: readonly StoredEntry[];
}

/** How sessions are kept. */
export interface WithSessionsOptions {
  /** Whose sessions a connection sees. Default: one owner for all, as fits an agent that its user starts. */
  readonly owner?: (connection: AgentConnection) => string;
  /**
   * Restores what the agent knows of a session, before it is told to the client. What it answers is the response: modes and config
   * options of now.
   */
  readonly restore?: (
    session: RestoredSession,
    context: AgentContext,
  ) => LoadSessionResponse | undefined | PromiseLike<LoadSessionResponse | undefined>;
  /** Sessions on a page of `session/list`. Default 50. */
  readonly pageSize?: number;
  /** Give a session that was never told a title the beginning of its first prompt. Default: yes. */
  readonly titleFromPrompt?: boolean;
}

/** Parts of a definition that {@link withSessions} provides. */
type Provided = "loadSession" | "resumeSession" | "listSessions" | "beforeUpdate" | "cancelElsewhere";

/**
 * Gives an agent sessions that survive: it advertises and answers `session/list`, `session/load`, `session/resume`, `session/close` and
 * `session/delete`. Every update is in the store before it is on the wire, so that a crash loses nothing that a client has seen.
 *
 * - load tells the history as updates, then answers; resume tells nothing of the past. Both join a turn that still runs, started by another
 *   connection of the same process (with `keepTurns`).
 * - A session is written by one process at a time; opening one that another living process writes is refused with `-32600`.
 *
 * @throws {TypeError} when the definition has a handler of its own for what this provides.
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
  const { owner = () => "local", restore, pageSize = 50, titleFromPrompt = true } = options;
  const taken = (["loadSession", "resumeSession", "listSessions", "beforeUpdate", "cancelElsewhere"] as const).filter(
    (name) => name in definition,
  );
  if (taken.length > 0)
    throw new TypeError(`withSessions provides ${taken.join(", ")}: leave it out of the definition`);
  const live = new LiveSessions();
  const ownedBy = (connection: AgentConnection): OwnedSessions => store.owner(owner(connection));

  const open = async (
    request: IncomingLoadSessionRequest | IncomingResumeSessionRequest,
    context: AgentContext,
    replay: boolean,
  ): Promise<LoadSessionResponse> => {
    const { sessionId } = request;
    const sessions = ownedBy(context.connection);
    const record = await sessions.find(sessionId);
    if (record === undefined) throw sessionNotFound(sessionId);
    const session = await live.open(sessions, record).catch(told);
    const history = await sessions.read(sessionId);
    const response = (await restore?.({ sessionId, request, record, history }, context)) ?? {};
    const handle = context.session(sessionId);
    const tell = async (update: SessionUpdate): Promise<void> => void (await handle.update(live.told(update)));
    if (replay) {
      for (const update of replayOf(history)) await tell(update);
      // What a running turn wrote meanwhile is behind what was read.
      for (let last = history.at(-1)?.seq ?? 0; ; ) {
        const more = await sessions.read(sessionId, last);
        const end = more.at(-1);
        if (end === undefined) break;
        for (const { entry } of more) if (entry.type === "update") await tell(entry.update);
        last = end.seq;
      }
    } else {
      const usage = history.findLast(
        ({ entry }) => entry.type === "update" && entry.update.sessionUpdate === "usage_update",
      );
      if (usage?.entry.type === "update") void handle.update(live.told(usage.entry.update)); // leaves after the response
    }
    session.join(context.connection, handle);
    return response;
  };

  return {
    ...definition,

    async newSession(params, context) {
      const response = await definition.newSession(params, context);
      const { sessionId } = response;
      const sessions = ownedBy(context.connection);
      await sessions.create({ sessionId, cwd: params.cwd, additionalDirectories: params.additionalDirectories ?? [] });
      const session = await live.open(sessions, { sessionId, title: null });
      session.join(context.connection, context.session(sessionId));
      return response;
    },

    loadSession: (params, context) => open(params, context, true),
    resumeSession: (params, context) => open(params, context, false),

    async listSessions({ cwd, cursor }, { connection }) {
      const query = { ...(cwd != null && { cwd }), ...(cursor != null && { cursor }), limit: pageSize };
      const { sessions, nextCursor } = await listed(ownedBy(connection), query);
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
      await live.find(params.sessionId)?.leave(context.connection);
      return definition.closeSession?.(params, context);
    },

    async deleteSession(params, context) {
      const sessions = ownedBy(context.connection);
      if ((await sessions.find(params.sessionId)) !== undefined) await live.find(params.sessionId)?.stop();
      await sessions.delete(params.sessionId);
      return definition.deleteSession?.(params, context);
    },

    beforeUpdate: (params, connection) => live.written(params, connection),

    cancelElsewhere({ sessionId }, { connection }) {
      const session = live.find(sessionId);
      if (session?.isJoinedBy(connection)) session.cancel();
    },

    async prompt(turn: Turn) {
      const session = live.find(turn.sessionId);
      if (session === undefined) throw sessionNotFound(turn.sessionId);
      return session.play(turn, () => definition.prompt(turn), titleFromPrompt).catch(told);
    },
  };
}

async function listed(sessions: OwnedSessions, query: SessionQuery): Promise<SessionPage> {
  try {
    return await sessions.list(query);
  } catch (error) {
    if (error instanceof RangeError) throw invalidParams("Invalid params: cursor: not one of this list", {});
    throw error;
  }
}

/** Our errors as a client may know them. */
function told(error: unknown): never {
  if (error instanceof SessionHeldError || error instanceof LeaseLostError) {
    const { sessionId, cause = error } = error;
    throw new RpcError(ErrorCode.InvalidRequest, "The session is open in another process", {
      data: { sessionId },
      cause,
    });
  }
  throw error;
}
