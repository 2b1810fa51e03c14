import type { RecordingEntry, Side } from "@acp-kit/testing/recording";
import type { RequestPermissionResponse } from "@acp-kit/types";
import {
  decodeLoadSessionResponse,
  decodePromptRequest,
  decodeRequestPermissionRequest,
  decodeRequestPermissionResponse,
  decodeSetSessionConfigOptionResponse,
  decodeTerminalOutputResponse,
  decodeWaitForTerminalExitResponse,
} from "@acp-kit/types/decode";
import { asText, decoded, listOf, members, textOf } from "./members.js";
import { SessionModel } from "./session-model.js";
import { turnEnded, turnNotice } from "./turn-notice.js";

/** A request of the agent that has no response yet. */
export interface OpenRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
  readonly sessionId: string | undefined;
}

interface ClientRequest {
  readonly method: string;
  readonly params: unknown;
}

/** The parts of the agent's response to `initialize` that the page uses. */
export interface AgentFacts {
  readonly name?: string;
  readonly version?: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly authMethods: readonly unknown[];
}

/** A session in the agent's response to `session/list`. */
export interface ListedSession {
  readonly sessionId: string;
  readonly cwd: string | undefined;
  readonly title: string | undefined;
}

const cancelled = { outcome: { outcome: "cancelled" } } as const;
const noFacts: AgentFacts = { capabilities: {}, authMethods: [] };
/** The maximum number of open requests of one side that are stored. */
const MAX_OPEN = 10_000;
/** The maximum number of listed sessions, and of completed elicitations. */
const MAX_LISTED = 10_000;
const MAX_SESSIONS = 1_000;

/** The state of a conversation after all added entries, of a live connection or a recording. */
export class Conversation {
  readonly sessions = new Map<string, SessionModel>();
  readonly agentRequests = new Map<string, OpenRequest>();
  agent: AgentFacts = noFacts;
  listed: readonly ListedSession[] = [];
  /** The cursor of the next page of the agent's list of sessions; `undefined` if `listed` is the whole list. */
  nextCursor: string | undefined;
  /** The ids of elicitations whose web page is completed, as the agent has reported. */
  readonly completed = new Set<string>();
  /** The last error response of the agent, until the same method succeeds. The page shows it below its controls. */
  lastError: { readonly method: string; readonly message: string } | undefined;
  /** The names of both peers, and the command of the agent, for the title. */
  peers: string | undefined;
  command: string | undefined;
  /** The session that was opened last. */
  latest: string | undefined;
  readonly #clientRequests = new Map<string, ClientRequest>();

  add(entry: RecordingEntry): void {
    if (entry.kind === "process" && entry.event === "started") this.#restarted(entry.command?.join(" "));
    if (entry.kind === "process" && (entry.event === "output_ended" || entry.event === "exited")) this.#ended();
    if (entry.kind === "peers") {
      const named = [entry.client, entry.agent].flatMap((peer) => (peer ? [`${peer.name} ${peer.version}`] : []));
      if (named.length > 0) this.peers = named.join(" ↔ ");
    }
    if (entry.kind === "message" && !entry.leftOut) this.#message(entry.from, members(entry.message));
  }

  #message(from: Side, message: Readonly<Record<string, unknown>>): void {
    const { id, method, params } = message;
    if (typeof method === "string") {
      if (from === "client") this.#sent(id, method, params);
      else this.#received(id, method, params);
    } else if (from === "agent") this.#responded(JSON.stringify(id), message);
    else this.#answered(JSON.stringify(id), message);
  }

  #sent(id: unknown, method: string, params: unknown): void {
    if (id !== undefined && this.#clientRequests.size < MAX_OPEN) {
      this.#clientRequests.set(JSON.stringify(id), { method, params });
    }
    const sessionId = textOf(params, "sessionId");
    if (sessionId === undefined) return;
    if (method === "session/prompt") {
      const session = this.#session(sessionId);
      if (session !== undefined) session.prompts += 1;
      session?.apply({
        type: "prompt_sent",
        prompt: decoded(decodePromptRequest, params)?.prompt ?? [],
      });
    } else if (method === "session/load") {
      const session = this.#session(sessionId);
      if (session !== undefined) session.cwd = textOf(params, "cwd");
      session?.apply({ type: "replay_began" });
    } else if (method === "session/cancel") this.sessions.get(sessionId)?.apply({ type: "turn_cancelled" });
  }

  #received(id: unknown, method: string, params: unknown): void {
    const sessionId = textOf(params, "sessionId");
    if (id !== undefined && this.agentRequests.size < MAX_OPEN) {
      this.agentRequests.set(JSON.stringify(id), { id, method, params, sessionId });
    }
    const elicitationId = method === "elicitation/complete" ? textOf(params, "elicitationId") : undefined;
    if (elicitationId !== undefined && this.completed.size < MAX_LISTED) this.completed.add(elicitationId);
    if (sessionId === undefined) return;
    if (method === "session/update") {
      const session = this.#session(sessionId);
      session?.update(params);
      const update = members(members(params).update);
      const notice = update.sessionUpdate === "session_info_update" ? turnNotice(update) : undefined;
      if (notice !== undefined && session?.snapshot.replaying !== true) session?.apply(notice);
    } else if (method === "session/request_permission") {
      const { toolCall, options } = decoded(decodeRequestPermissionRequest, params) ?? {};
      if (toolCall === undefined || options === undefined) return;
      const requestId = JSON.stringify(id);
      this.#session(sessionId)?.apply({ type: "permission_requested", requestId, toolCall, options });
    }
  }

  #responded(key: string, { result, error }: Readonly<Record<string, unknown>>): void {
    const request = this.#clientRequests.get(key);
    if (request === undefined) return;
    this.#clientRequests.delete(key);
    const { method, params } = request;
    const failure =
      error === undefined
        ? undefined
        : { message: asText(members(error).message), code: Number(asText(members(error).code)) };
    if (failure !== undefined) this.lastError = { method, message: failure.message };
    else if (this.lastError?.method === method) this.lastError = undefined;
    const sessionId = textOf(params, "sessionId") ?? textOf(result, "sessionId");
    switch (method) {
      case "initialize":
        if (failure === undefined) this.agent = factsOf(result);
        break;
      case "session/prompt":
        this.#sessionOf(sessionId)?.apply(turnEnded(result, error));
        break;
      case "session/new":
      case "session/load":
      case "session/resume":
        this.#opened(method, sessionId, params, result, failure !== undefined);
        break;
      case "session/close":
      case "session/delete": {
        const session = this.#sessionOf(sessionId);
        if (failure === undefined && session !== undefined) session.isClosed = true;
        if (failure === undefined && method === "session/delete") {
          this.listed = this.listed.filter((listed) => listed.sessionId !== sessionId);
        }
        break;
      }
      case "session/set_mode": {
        const modeId = textOf(params, "modeId");
        const update = { sessionUpdate: "current_mode_update", currentModeId: modeId ?? "" } as const;
        if (failure === undefined) this.#sessionOf(sessionId)?.apply({ type: "update", update });
        break;
      }
      case "session/set_config_option": {
        const { configOptions } = decoded(decodeSetSessionConfigOptionResponse, result) ?? {};
        if (configOptions === undefined) break;
        const update = { sessionUpdate: "config_option_update", configOptions } as const;
        this.#sessionOf(sessionId)?.apply({ type: "update", update });
        break;
      }
      case "session/list":
        if (failure === undefined) this.#listed(textOf(params, "cursor") !== undefined, result);
        break;
    }
  }

  /** Handles a page of the agent's list of sessions. The first page replaces the list; later pages are added. */
  #listed(isContinued: boolean, result: unknown): void {
    const page = listOf(result, "sessions").flatMap(listedSession);
    const before = isContinued ? this.listed : [];
    const known = new Set(before.map(({ sessionId }) => sessionId));
    this.listed = [...before, ...page.filter(({ sessionId }) => !known.has(sessionId))].slice(0, MAX_LISTED);
    this.nextCursor = textOf(result, "nextCursor");
  }

  /** Handles a response of the client to a request of the agent. */
  #answered(key: string, { result }: Readonly<Record<string, unknown>>): void {
    const request = this.agentRequests.get(key);
    if (request === undefined) return;
    this.agentRequests.delete(key);
    const { method, params, sessionId } = request;
    const session = this.#sessionOf(sessionId);
    if (session === undefined) return;
    if (method === "session/request_permission") {
      const toolCallId = textOf(members(params).toolCall, "toolCallId") ?? "";
      const { outcome } = (decoded(decodeRequestPermissionResponse, result) ?? cancelled) as RequestPermissionResponse;
      session.apply({ type: "permission_decided", requestId: key, toolCallId, outcome });
      return;
    }
    const terminalId = textOf(params, "terminalId") ?? textOf(result, "terminalId");
    if (terminalId === undefined) return;
    if (method === "terminal/create") {
      const command = [textOf(params, "command") ?? "", ...listOf(params, "args").map(asText)].join(" ");
      session.apply({ type: "terminal", terminalId, command });
    } else if (method === "terminal/output") {
      const exit = decoded(decodeTerminalOutputResponse, result)?.exitStatus;
      const output = textOf(result, "output") ?? "";
      session.apply({ type: "terminal", terminalId, output, ...(exit != null && { exit }) });
    } else if (method === "terminal/wait_for_exit") {
      session.apply({ type: "terminal", terminalId, exit: decoded(decodeWaitForTerminalExitResponse, result) ?? {} });
    } else if (method === "terminal/release") session.apply({ type: "terminal", terminalId, released: true });
  }

  #opened(method: string, sessionId: string | undefined, params: unknown, result: unknown, failed: boolean): void {
    const session = this.#sessionOf(failed && method === "session/new" ? undefined : sessionId);
    if (session === undefined) return;
    const notice = failed ? undefined : turnNotice(result);
    const isJoined = notice?.type === "turn_joined" && !this.#hasPrompt(session.sessionId);
    if (method === "session/load") session.apply({ type: "replay_ended", failed, running: isJoined });
    if (failed) return;
    session.cwd = textOf(params, "cwd") ?? session.cwd;
    session.isClosed = false;
    this.latest = session.sessionId;
    const { modes, configOptions } = decoded(decodeLoadSessionResponse, result) ?? {};
    session.apply({
      type: "session_opened",
      sessionId: session.sessionId,
      ...(modes != null && { modes }),
      ...(configOptions != null && { configOptions }),
    });
    if (notice?.type === "turn_ended" || isJoined) session.apply(notice);
  }

  /** Whether a prompt of the client has no response. The response then reports the end of the turn. */
  #hasPrompt(sessionId: string): boolean {
    return [...this.#clientRequests.values()].some(
      ({ method, params }) => method === "session/prompt" && textOf(params, "sessionId") === sessionId,
    );
  }

  #sessionOf(sessionId: string | undefined): SessionModel | undefined {
    return sessionId === undefined ? undefined : this.#session(sessionId);
  }

  #session(sessionId: string): SessionModel | undefined {
    const known = this.sessions.get(sessionId);
    if (known !== undefined) return known;
    if (this.sessions.size >= MAX_SESSIONS) return undefined;
    const session = new SessionModel(sessionId);
    this.sessions.set(sessionId, session);
    this.latest ??= sessionId;
    return session;
  }

  /** Removes what the previous process reported about itself. */
  #restarted(command: string | undefined): void {
    this.#ended(); // the recording may not contain the end of the process
    this.command = command;
    this.agent = noFacts;
    this.listed = [];
    this.nextCursor = undefined;
    this.lastError = undefined;
    this.completed.clear();
    for (const session of this.sessions.values()) session.isClosed = true;
  }

  /** Removes the open requests of an agent that has ended, and ends its turns. Its sessions can't be used then. */
  #ended(): void {
    this.#clientRequests.clear();
    this.agentRequests.clear();
    for (const session of this.sessions.values()) {
      const end = { type: "turn_ended", error: { message: "The agent ended." } } as const;
      if (session.snapshot.activity === "running") session.apply(end);
      if (session.snapshot.activity === "running") session.apply({ ...end, joined: true });
    }
  }
}

function factsOf(result: unknown): AgentFacts {
  const { agentInfo, agentCapabilities } = members(result);
  const name = textOf(agentInfo, "title") ?? textOf(agentInfo, "name");
  const version = textOf(agentInfo, "version");
  return {
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    capabilities: members(agentCapabilities),
    authMethods: listOf(result, "authMethods"),
  };
}

function listedSession(value: unknown): ListedSession[] {
  const sessionId = textOf(value, "sessionId");
  return sessionId === undefined ? [] : [{ sessionId, cwd: textOf(value, "cwd"), title: textOf(value, "title") }];
}
