import type { AgentContext, AgentDefinition } from "@acp-kit/agent";
import { acceptForks, acceptSystemPrompt } from "@acp-kit/agent/unstable";
import type { IncomingNewSessionRequest, NewSessionResponse } from "@acp-kit/types";
import { availableCommands } from "./available-commands.js";
import { allCommands } from "./commands/index.js";
import { ANNOUNCED, extensions } from "./extensions.js";
import { isHistory, replayOf } from "./history.js";
import type { LiveSession, SessionPlace } from "./live-session.js";
import { assertLoggedIn, authMethods } from "./login.js";
import { type EverythingOptions, everythingDefaults } from "./options.js";
import { playTurn } from "./play-turn.js";
import { pageOf } from "./session-list.js";
import type { Sessions } from "./sessions.js";
import { configOptions, modeState } from "./settings.js";

/** Creates the handlers for one connection. The handlers implement every optional method of the protocol. */
export function definitionOf(
  sessions: Sessions,
  options: EverythingOptions & { readonly pageSize: number; readonly paceMs: number },
): AgentDefinition {
  const { login, pageSize, paceMs } = options;
  const loggedIn = (): void => assertLoggedIn(login);

  /**
   * Sends the list of slash commands (for a new session, the library sends it after the response), and connects to the
   * session's MCP servers.
   */
  const begin = async (session: LiveSession, context: AgentContext): Promise<Omit<NewSessionResponse, "sessionId">> => {
    await context.session(session.sessionId).commands(availableCommands(allCommands));
    const { settings, place } = session;
    session.mcp = place.mcpServers.flatMap((server) => options.connectMcp?.(server, place.cwd) ?? []);
    return { modes: modeState(settings), configOptions: configOptions(settings) };
  };

  return {
    info: {
      name: "everything-agent",
      title: "Everything Agent",
      version: options.version ?? everythingDefaults.version,
    },
    promptContent: { image: true, audio: true, embeddedContext: true },
    mcpTransports: { http: true, sse: true },
    additionalDirectories: true,
    capabilitiesMeta: { [ANNOUNCED]: {} },
    extensions,
    unstable: [
      acceptSystemPrompt({ override: true }),
      acceptForks(async ({ sessionId: original, ...params }, context) => {
        loggedIn();
        const session = sessions.fork(original, placeOf(params, context));
        return { sessionId: session.sessionId, ...(await begin(session, context)) };
      }),
    ],

    async newSession(params, context) {
      loggedIn();
      const session = sessions.create(placeOf(params, context));
      return { sessionId: session.sessionId, ...(await begin(session, context)) };
    },
    async loadSession({ sessionId, ...params }, context) {
      loggedIn();
      const session = sessions.open(sessionId, placeOf(params, context));
      const handle = context.session(sessionId);
      await sessions.replay(sessionId, async () => {
        for (const update of replayOf(sessions.store.read(sessionId))) await handle.update(update);
      });
      return begin(session, context);
    },
    resumeSession({ sessionId, ...params }, context) {
      loggedIn();
      return begin(sessions.open(sessionId, placeOf(params, context)), context);
    },
    closeSession: ({ sessionId }) => sessions.close(sessionId),
    deleteSession({ sessionId }) {
      loggedIn();
      sessions.delete(sessionId);
    },
    listSessions(params) {
      loggedIn();
      return pageOf(sessions.store, params, pageSize);
    },

    async setSessionMode({ sessionId, modeId }, context) {
      const session = sessions.get(sessionId);
      session.set("mode", modeId);
      // Reports the mode as a config option, too
      await context.session(sessionId).configOptions(configOptions(session.settings));
    },
    async setSessionConfigOption({ sessionId, configId, value }, context) {
      const session = sessions.get(sessionId);
      session.set(configId, value);
      if (configId === "mode") await context.session(sessionId).mode(session.settings.mode);
      return { configOptions: configOptions(session.settings) };
    },

    // Logs also the updates that the library sends, for example when it fails the open tool calls of a cancelled turn
    beforeUpdate({ sessionId, update }) {
      if (!sessions.isReplaying(sessionId) && isHistory(update))
        sessions.find(sessionId)?.log({ type: "update", update });
    },

    prompt(turn, { connection }) {
      loggedIn();
      const { info: clientInfo } = turn.client;
      const { systemPrompt } = connection.session(turn.sessionId);
      const stage = { clientInfo, systemPrompt, commands: allCommands, paceMs };
      return playTurn(turn, sessions.get(turn.sessionId), stage);
    },

    ...(login && {
      authMethods: authMethods(options.terminalLoginArgs),
      authenticate: () => login.setLoggedIn(true),
      logout: () => login.setLoggedIn(false),
    }),
  };
}

function placeOf(
  params: Partial<IncomingNewSessionRequest> & { readonly cwd: string },
  { connection }: Pick<AgentContext, "connection">,
): SessionPlace {
  const { cwd, additionalDirectories = [], mcpServers = [] } = params;
  return { connection, cwd, additionalDirectories, mcpServers };
}
