import type { DialogueLog } from "../dialogue.js";
import type { AgentLink } from "./agent-link.js";
import type { JsonObject } from "./json.js";
import { LineSplitter } from "./line-splitter.js";
import { eventsOfLine, type WireEvent } from "./wire-event.js";
import { WireState } from "./wire-state.js";

/** One connection between the client under test and the scripted agent: turns bytes into events, and messages into bytes. */
export class AgentWire {
  readonly state: WireState = new WireState();
  /** Resolves when the client has closed the agent's stdin. */
  readonly closed: Promise<void>;
  readonly #link: AgentLink;
  readonly #log: DialogueLog;
  readonly #encoder = new TextEncoder();
  #open = true;

  constructor(link: AgentLink, log: DialogueLog, handle: (event: WireEvent) => void) {
    this.#link = link;
    this.#log = log;
    const lines = new LineSplitter();
    this.closed = new Promise((resolve) => {
      link.listen({
        data: (bytes) => {
          for (const line of lines.push(bytes)) this.#read(line, handle);
        },
        end: () => {
          if (this.#open) log.event("the client has closed the agent's stdin");
          resolve();
        },
      });
    });
  }

  #read(line: Uint8Array, handle: (event: WireEvent) => void): void {
    for (const event of eventsOfLine(line)) {
      if (event.kind === "raw") this.#log.raw("client", event.text, event.problem);
      else this.#log.message("client", event.kind === "no message" ? event.value : event.message);
      this.state.clientSent(event);
      handle(event);
    }
  }

  /** The arguments that the client added to the agent's command. */
  get extraArguments(): readonly string[] {
    return this.#link.extraArguments;
  }

  /** Sends one message, in one write. */
  send(message: JsonObject): void {
    this.writeBytes(this.announce(message));
  }

  /** Writes text that needn't be a message or a line. */
  sendText(text: string, because: string): void {
    this.#log.raw("agent", text.length > 200 ? `${text.slice(0, 200)}…` : text, because);
    this.writeBytes(this.#encoder.encode(text));
  }

  /** Writes bytes without logging them. */
  writeBytes(bytes: Uint8Array): void {
    if (this.#open) this.#link.write(bytes);
  }

  /** Logs a message whose bytes the caller writes with {@link writeBytes}. */
  announce(message: JsonObject): Uint8Array {
    const whole = { jsonrpc: "2.0", ...message };
    this.#log.message("agent", whole);
    this.state.agentSent(message);
    return this.#encoder.encode(`${JSON.stringify(whole)}\n`);
  }

  /** The agent ends by itself. */
  exit(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#log.event("the agent ends");
    this.#link.exit();
  }

  /** The agent dies. */
  crash(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#log.event("the agent dies");
    this.#link.crash();
  }
}
