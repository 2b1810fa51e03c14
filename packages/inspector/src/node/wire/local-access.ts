import { RpcError } from "@acp-kit/jsonrpc";
import { type WorkspaceContext, type WorkspaceTerminals, workspaceFiles, workspaceTerminals } from "@acp-kit/workspace";
import type { AccessSetting } from "../page/protocol.js";

type Handler = (params: never, context: WorkspaceContext) => Promise<unknown>;

/** Handles an agent's requests for files and terminals, inside the folders of the sessions that the page opened. */
export class LocalAccess {
  setting: AccessSetting;
  readonly #folders = new Map<string, readonly string[]>();
  readonly #opening = new Map<unknown, readonly string[]>();
  readonly #files = workspaceFiles();
  #ending = new AbortController();
  #terminals: WorkspaceTerminals = workspaceTerminals();

  constructor(setting: AccessSetting) {
    this.setting = setting;
  }

  /** Stores the folders of a session that the page opens with this message. */
  sent(message: unknown): void {
    const { id, method, params } = Object(message) as { id?: unknown; method?: unknown; params?: unknown };
    if (typeof method !== "string" || !method.startsWith("session/")) return;
    const { cwd, sessionId, additionalDirectories } = Object(params) as Readonly<Record<string, unknown>>;
    if (typeof cwd !== "string") return;
    const roots = [cwd, ...(Array.isArray(additionalDirectories) ? additionalDirectories.map(String) : [])];
    if (typeof sessionId === "string") this.#folders.set(sessionId, roots);
    else if (id !== undefined && this.#opening.size < 1_000) this.#opening.set(id, roots);
  }

  /** Reads the id of a new session from a response of the agent. */
  observe(message: unknown): void {
    const { id, result } = Object(message) as { id?: unknown; result?: unknown };
    const roots = this.#opening.get(id);
    if (roots === undefined || result === undefined) return;
    this.#opening.delete(id);
    const { sessionId } = Object(result) as { sessionId?: unknown };
    if (typeof sessionId === "string") this.#folders.set(sessionId, roots);
  }

  /** Returns the result of a request, or `undefined` if the page responds to it. */
  answer(method: string, params: unknown): Promise<unknown> | undefined {
    const part = method.startsWith("fs/") ? "files" : method.startsWith("terminal/") ? "terminals" : undefined;
    if (part === undefined || this.setting[part] === "manual") return undefined;
    if (this.setting[part] === "refused")
      return Promise.reject(new RpcError(-32_601, `${method} is refused: the inspector's ${part} are switched off`));
    const handler = this.#handler(method);
    if (handler === undefined) return Promise.reject(new RpcError(-32_601, `Method not found: ${method}`));
    const { sessionId } = Object(params) as { sessionId?: unknown };
    const roots = typeof sessionId === "string" ? this.#folders.get(sessionId) : undefined;
    const session = roots === undefined ? undefined : { sessionId: String(sessionId), roots };
    const { signal } = this.#ending;
    return Promise.resolve().then(() => handler(params as never, { session, signal, sessionSignal: signal }));
  }

  /** Ends all terminals and pending requests. Later requests use new terminals. Never rejects. */
  async close(): Promise<void> {
    const terminals = this.#terminals;
    this.#ending.abort();
    this.#ending = new AbortController();
    this.#terminals = workspaceTerminals();
    await terminals.close();
  }

  #handler(method: string): Handler | undefined {
    const files = this.#files;
    const terminals = this.#terminals;
    switch (method) {
      case "fs/read_text_file":
        return files.readTextFile.bind(files) as Handler;
      case "fs/write_text_file":
        return files.writeTextFile?.bind(files) as Handler | undefined;
      case "terminal/create":
        return terminals.createTerminal.bind(terminals) as Handler;
      case "terminal/output":
        return terminals.terminalOutput.bind(terminals) as Handler;
      case "terminal/wait_for_exit":
        return terminals.waitForTerminalExit.bind(terminals) as Handler;
      case "terminal/kill":
        return terminals.killTerminal.bind(terminals) as Handler;
      case "terminal/release":
        return terminals.releaseTerminal.bind(terminals) as Handler;
      default:
        return undefined;
    }
  }
}
