import { isJsonObject } from "@acp-kit/jsonrpc/internal";
import type { ProxySession } from "../proxy-session.js";

/** The number of sessions that a proxy remembers for each connection. The oldest is forgotten first. */
const MAX_SESSIONS = 10_000;

class SeenSession implements ProxySession {
  readonly id: string;
  readonly cwd: string | undefined;
  readonly additionalDirectories: readonly string[];
  readonly origin: ProxySession["origin"];
  readonly isPrivate: boolean;
  prompts = 0;

  constructor(id: string, origin: ProxySession["origin"], params?: unknown, isPrivate = false) {
    const { cwd, additionalDirectories: directories } = isJsonObject(params) ? params : {};
    this.id = id;
    this.origin = origin;
    this.isPrivate = isPrivate;
    this.cwd = typeof cwd === "string" ? cwd : undefined;
    this.additionalDirectories = Array.isArray(directories)
      ? directories.filter((each): each is string => typeof each === "string")
      : [];
  }

  get isFirstPrompt(): boolean {
    return this.origin === "new" && this.prompts === 0;
  }
}

/** The methods that open a session whose id the client knows. */
const reopening: Readonly<Record<string, ProxySession["origin"]>> = {
  "session/load": "load",
  "session/resume": "resume",
};

/** The sessions of one connection that a proxy saw. */
export class SessionTable {
  readonly #sessions = new Map<string, SeenSession>();
  /** The number of sessions that the proxy has created. */
  #private = 0;

  find(id: string | undefined): ProxySession | undefined {
    return id === undefined ? undefined : (this.#sessions.get(id) ?? new SeenSession(id, "unknown"));
  }

  /** Whether the proxy itself has created sessions. */
  get hasPrivate(): boolean {
    return this.#private > 0;
  }

  /** Returns whether the proxy itself has created a session. */
  isPrivate(id: string | undefined): boolean {
    return this.#private > 0 && id !== undefined && this.#sessions.get(id)?.isPrivate === true;
  }

  /** Returns the result of `session/list` without the sessions of the proxy. */
  withoutPrivate(result: unknown): unknown {
    if (this.#private === 0 || !isJsonObject(result) || !Array.isArray(result.sessions)) return result;
    const sessions = result.sessions.filter((each) => !isJsonObject(each) || !this.isPrivate(each.sessionId as string));
    return { ...result, sessions };
  }

  /** Records the session that the proxy itself has created. */
  created(params: unknown, result: unknown): void {
    const id = isJsonObject(result) ? result.sessionId : undefined;
    if (typeof id !== "string") return;
    this.#private += 1;
    this.#add(new SeenSession(id, "new", params, true));
  }

  /** Records the session of a request of the client, before an interceptor or the agent gets the request. */
  requested(method: string, id: string | undefined, params: unknown): void {
    const origin = Object.hasOwn(reopening, method) ? reopening[method] : undefined;
    if (id !== undefined && origin !== undefined) this.#add(new SeenSession(id, origin, params));
  }

  promptForwarded(id: string | undefined): void {
    const session = this.#sessions.get(id ?? "");
    if (session !== undefined) session.prompts += 1;
  }

  /** Records the response to a request of the client. */
  responded(method: string, id: string | undefined, params: unknown, result: unknown): void {
    if (method === "session/new") {
      const created = isJsonObject(result) ? result.sessionId : undefined;
      if (typeof created === "string") this.#add(new SeenSession(created, "new", params));
    } else if (id === undefined) return;
    else if (method === "session/prompt") {
      // A prompt that failed, for example because of a missing login, is sent again.
      const session = this.#sessions.get(id);
      if (session !== undefined && result === undefined) session.prompts -= 1;
    } else if ((method === "session/close" || method === "session/delete") && result !== undefined)
      this.#sessions.delete(id);
  }

  #add(session: SeenSession): void {
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
    if (this.#sessions.size <= MAX_SESSIONS) return;
    for (const oldest of this.#sessions.keys()) {
      this.#sessions.delete(oldest);
      return;
    }
  }
}
