import type { TranscriptEvent } from "@acp-kit/client";
import type { RecordingEntry, Side } from "@acp-kit/testing/recording";
import type { RequestPermissionResponse } from "@acp-kit/types";
import {
  decodePromptRequest,
  decodeRequestPermissionResponse,
  decodeTerminalOutputResponse,
  decodeWaitForTerminalExitResponse,
} from "@acp-kit/types/decode";
import { Children } from "./children.js";
import { asText, decoded, listOf, members, textOf } from "./members.js";
import { SessionModel } from "./session-model.js";
import { turnEnded, turnNotice } from "./turn-notice.js";
import { type AgentFacts, factsOf, isLoad, noFacts, readOptions, readPermission, readSetup } from "./versions.js";

/** A request of the agent that has no response yet. */
export interface OpenRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
  /** The session that shows the request: that of its params or, for a child session, the session that owns it. */
  readonly sessionId: string | undefined;
  /** The tool call of a permission request. */
  readonly toolCallId?: string | undefined;
}

interface ClientRequest {
  readonly method: string;
  readonly params: unknown;
}

/** A session in the agent's response to `session/list`. */
export interface ListedSession {
  readonly sessionId: string;
  readonly cwd: string | undefined;
  readonly title: string | undefined;
}

const cancelled = { outcome: { outcome: "cancelled" } } as const;
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
  readonly #children = new Children();

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
      const prompt = decoded(decodePromptRequest, params)?.prompt ?? [];
      if (session?.work !== undefined) session.work.sent(JSON.stringify(id), prompt);
      else session?.apply({ type: "prompt_sent", prompt });
    } else if (isLoad(method, params)) {
      const session = this.#session(sessionId);
      if (session !== undefined) session.cwd = textOf(params, "cwd");
      if (session?.work !== undefined) session.work.replayBegan();
      else session?.apply({ type: "replay_began" });
    } else if (method === "session/cancel") this.sessions.get(sessionId)?.apply({ type: "turn_cancelled" });
  }

  #received(id: unknown, method: string, params: unknown): void {
    const sessionId = textOf(params, "sessionId");
    const key = JSON.stringify(id);
    const permission =
      method === "session/request_permission" ? readPermission(this.#isVersion2, params, key) : undefined;
    if (id !== undefined && this.agentRequests.size < MAX_OPEN) {
      const shownIn = sessionId && (this.#children.ownerOf(sessionId)?.sessionId ?? sessionId);
      this.agentRequests.set(key, {
        id,
        method,
        params,
        sessionId: shownIn,
        toolCallId: permission?.toolCall.toolCallId,
      });
    }
    const elicitationId = method === "elicitation/complete" ? textOf(params, "elicitationId") : undefined;
    if (elicitationId !== undefined && this.completed.size < MAX_LISTED) this.completed.add(elicitationId);
    if (sessionId === undefined) return;
    if (method === "session/update") {
      if (this.#children.update(sessionId, params, this.#isVersion2)) return;
      const session = this.#session(sessionId);
      if (session !== undefined) this.#children.announced(params, session);
      session?.update(params);
      const update = members(members(params).update);
      const notice = update.sessionUpdate === "session_info_update" ? turnNotice(update) : undefined;
      if (notice !== undefined && session?.snapshot.replaying !== true) session?.apply(notice);
    } else if (permission !== undefined) {
      const { toolCall, options } = permission;
      this.#apply(sessionId, { type: "permission_requested", requestId: key, toolCall, options });
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
        if (failure === undefined) this.#initialized(result);
        break;
      case "session/prompt": {
        const session = this.#sessionOf(sessionId);
        if (session?.work !== undefined) session.work.responded(key, result, error);
        else session?.apply(turnEnded(result, error));
        break;
      }
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
        const configOptions = readOptions(this.#isVersion2, result);
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

  #answered(key: string, { result }: Readonly<Record<string, unknown>>): void {
    const request = this.agentRequests.get(key);
    if (request === undefined) return;
    this.agentRequests.delete(key);
    const { method, params, toolCallId = "" } = request;
    const sessionId = textOf(params, "sessionId");
    if (sessionId === undefined) return;
    if (method === "session/request_permission") {
      const { outcome } = (decoded(decodeRequestPermissionResponse, result) ?? cancelled) as RequestPermissionResponse;
      this.#apply(sessionId, { type: "permission_decided", requestId: key, toolCallId, outcome });
      return;
    }
    const terminalId = textOf(params, "terminalId") ?? textOf(result, "terminalId");
    if (terminalId === undefined) return;
    if (method === "terminal/create") {
      const command = [textOf(params, "command") ?? "", ...listOf(params, "args").map(asText)].join(" ");
      this.#apply(sessionId, { type: "terminal", terminalId, command });
    } else if (method === "terminal/output") {
      const exit = decoded(decodeTerminalOutputResponse, result)?.exitStatus;
      const output = textOf(result, "output") ?? "";
      this.#apply(sessionId, { type: "terminal", terminalId, output, ...(exit != null && { exit }) });
    } else if (method === "terminal/wait_for_exit") {
      const exit = decoded(decodeWaitForTerminalExitResponse, result) ?? {};
      this.#apply(sessionId, { type: "terminal", terminalId, exit });
    } else if (method === "terminal/release") this.#apply(sessionId, { type: "terminal", terminalId, released: true });
  }

  #initialized(result: unknown): void {
    this.agent = factsOf(result);
    for (const session of this.sessions.values()) session.connected(this.#isVersion2);
  }

  get #isVersion2(): boolean {
    return this.agent.protocolVersion === 2;
  }

  #apply(sessionId: string, event: TranscriptEvent): void {
    if (!this.#children.apply(sessionId, event)) this.#session(sessionId)?.apply(event);
  }

  #opened(method: string, sessionId: string | undefined, params: unknown, result: unknown, failed: boolean): void {
    const session = this.#sessionOf(failed && method === "session/new" ? undefined : sessionId);
    if (session === undefined) return;
    const notice = failed ? undefined : turnNotice(result);
    const isJoined = notice?.type === "turn_joined" && !this.#hasPrompt(session.sessionId);
    if (session.work !== undefined) session.work.opened(failed);
    else if (method === "session/load") session.apply({ type: "replay_ended", failed, running: isJoined });
    if (failed) return;
    session.cwd = textOf(params, "cwd") ?? session.cwd;
    session.isClosed = false;
    this.latest = session.sessionId;
    const { modes, configOptions, availableCommands } = readSetup(this.#isVersion2, result);
    session.apply({
      type: "session_opened",
      sessionId: session.sessionId,
      ...(modes != null && { modes }),
      ...(configOptions != null && { configOptions }),
    });
    if (availableCommands !== undefined)
      session.apply({ type: "update", update: { sessionUpdate: "available_commands_update", availableCommands } });
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
    session.connected(this.#isVersion2);
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
      session.work?.lost();
      const end = { type: "turn_ended", error: { message: "The agent ended." } } as const;
      const own = session.snapshot.turns.filter(({ state, joined }) => state === "running" && !joined);
      for (const _ of own) session.apply(end);
      if (session.snapshot.activity === "running") session.apply({ ...end, joined: true });
    }
  }
}

function listedSession(value: unknown): ListedSession[] {
  const sessionId = textOf(value, "sessionId");
  return sessionId === undefined ? [] : [{ sessionId, cwd: textOf(value, "cwd"), title: textOf(value, "title") }];
}
