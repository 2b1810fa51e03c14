import type { ClientConnection } from "@acp-kit/agent";
import type { IncomingMcpServer } from "@acp-kit/types";
import type { McpConnection } from "./mcp-connection.js";
import type { EverythingLogEntry, EverythingStore } from "./session-store.js";
import type { SessionSummary } from "./session-summary.js";
import { changed, type Settings } from "./settings.js";

/** The connection over which a client opened a session, and the values in its request. */
export interface SessionPlace {
  readonly connection: ClientConnection;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly IncomingMcpServer[];
}

/** A session that is open on a connection. The session appends its events to its log. */
export class LiveSession {
  readonly sessionId: string;
  readonly place: SessionPlace;
  /** Tools that the user has allowed, or rejected, for the rest of the session. */
  readonly rules: Map<string, "allow_always" | "reject_always"> = new Map();
  /** The MCP servers of the session. */
  mcp: readonly McpConnection[] = [];
  /** Whether the client has received the list with the additional command; see `availableCommands`. */
  moreCommands = false;
  readonly #store: EverythingStore;
  readonly #now: () => Date;
  #settings: Settings;
  #title: string | undefined;
  #turns: number;

  constructor(summary: SessionSummary, place: SessionPlace, store: EverythingStore, now: () => Date) {
    this.sessionId = summary.info.sessionId;
    this.place = place;
    this.#store = store;
    this.#now = now;
    this.#settings = summary.settings;
    this.#title = summary.info.title ?? undefined;
    this.#turns = summary.turns;
  }

  get settings(): Settings {
    return this.#settings;
  }

  get title(): string | undefined {
    return this.#title;
  }

  /** The number of prompts so far. */
  get turns(): number {
    return this.#turns;
  }

  /** Changes one setting. Throws `RpcError` `-32602` for an unknown value. */
  set(configId: string, value: unknown): void {
    this.#settings = changed(this.#settings, configId, value);
    this.log({ type: "settings", settings: this.#settings });
  }

  setTitle(title: string | null): void {
    this.#title = title ?? undefined;
    this.log({ type: "title", at: this.#now().toISOString(), title });
  }

  prompted(prompt: Extract<EverythingLogEntry, { type: "prompt" }>["prompt"]): void {
    this.#turns += 1;
    this.log({ type: "prompt", at: this.#now().toISOString(), prompt });
  }

  log(entry: EverythingLogEntry): void {
    this.#store.append(this.sessionId, entry);
  }
}
