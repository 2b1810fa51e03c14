import type { PageCommand, ServerMessage, ServerState } from "../../src/node/page/protocol.js";
import { Signal } from "./signal.js";
import type { WireStore } from "./wire-store.js";

/** How long the page waits before it connects again, in milliseconds. */
const RETRY_MS = 1_000;
const NOT_CONNECTED = "The message can't be checked, because the page is not connected to the inspector.";

interface PendingCheck {
  readonly resolve: (faults: readonly string[]) => void;
  readonly reject: (error: Error) => void;
}

/** The connection of the page to its inspector. A page in a file never connects, and sends no messages. */
export class ServerLink {
  readonly signal = new Signal();
  state: ServerState = { mode: "page" };
  /** `lost`: the inspector has ended or refuses the token. */
  status: "none" | "connecting" | "open" | "lost" = "none";
  readonly #store: WireStore;
  readonly #token: string;
  readonly #checks = new Map<number, PendingCheck>();
  #socket: WebSocket | undefined;
  #lastCheck = 0;
  /** The number of entries that the inspector had recorded when the page connected. */
  #recorded = 0;

  constructor(store: WireStore, token: string) {
    this.#store = store;
    this.#token = token;
  }

  /** Connects. If the connection is lost, connects again. */
  connect(): void {
    this.status = this.status === "lost" ? "lost" : "connecting";
    const protocols = ["acp-inspector", `acp.bearer.${base64url(this.#token)}`];
    const socket = new WebSocket(`ws://${location.host}/wire`, protocols);
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#received(String(data)));
    socket.addEventListener("open", () => this.#set("open"));
    socket.addEventListener("close", () => {
      this.#set("lost");
      for (const { reject } of this.#checks.values()) reject(new Error(NOT_CONNECTED));
      this.#checks.clear();
      setTimeout(() => this.connect(), RETRY_MS);
    });
  }

  /** Whether the page controls an agent and can send messages to it now. */
  get canSend(): boolean {
    return this.status === "open" && this.state.mode === "agent" && this.state.status?.is === "running";
  }

  /** Whether the store contains all entries that were recorded before the page connected. */
  get isCaughtUp(): boolean {
    return this.#store.length >= this.#recorded;
  }

  send(command: PageCommand): void {
    if (this.status === "open") this.#socket?.send(JSON.stringify(command));
  }

  request(method: string, params: unknown): void {
    this.send({ do: "request", method, params });
  }

  /** Responds to a request of the agent. */
  respond(id: unknown, result: unknown): void {
    this.send({ do: "send", message: { jsonrpc: "2.0", id, result } });
  }

  /** Returns the schema violations of a message, without sending it. Rejects without a connection. */
  async check(message: unknown): Promise<readonly string[]> {
    if (this.status !== "open") throw new Error(NOT_CONNECTED);
    this.#lastCheck += 1;
    const number = this.#lastCheck;
    return new Promise((resolve, reject) => {
      this.#checks.set(number, { resolve, reject });
      this.send({ do: "check", number, message });
    });
  }

  /** Fetches a file that the inspector serves only with the token. */
  async file(path: string): Promise<string> {
    const response = await fetch(path, { headers: { authorization: `Bearer ${this.#token}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.text();
  }

  #received(text: string): void {
    const end = text.indexOf("\n");
    const message = JSON.parse(end < 0 ? text : text.slice(0, end)) as ServerMessage;
    switch (message.is) {
      case "hello": {
        const { is: _, header, count, ...state } = message;
        this.#recorded = count;
        this.#store.reset(header);
        this.state = state;
        this.signal.changed();
        break;
      }
      case "state": {
        const { is: _, ...state } = message;
        this.state = state;
        this.signal.changed();
        break;
      }
      case "entries": // no notification here, because the store notifies its own subscribers
        this.#store.add(
          text
            .slice(end + 1)
            .trimEnd()
            .split("\n"),
        );
        break;
      case "marks":
        this.#store.setMarks(message.marks);
        break;
      case "checked":
        this.#checks.get(message.number)?.resolve(message.faults);
        this.#checks.delete(message.number);
        break;
    }
  }

  #set(status: ServerLink["status"]): void {
    this.status = status;
    this.signal.changed();
  }
}

function base64url(text: string): string {
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
