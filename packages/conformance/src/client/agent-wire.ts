import type { DialogueLog } from "../dialogue.js";
import { ByteLines } from "../wire/byte-lines.js";
import { emptyBelow, MAX_CONNECTION_BYTES, MAX_LEVELS, wroteTooMuch } from "../wire/input-limits.js";
import type { Json } from "../wire/values.js";
import type { AgentLink } from "./agent-link.js";
import { eventsOfLine, type WireEvent } from "./wire-event.js";
import { WireState } from "./wire-state.js";

/** A connection between client and scripted agent: turns bytes into events, and messages into bytes. */
export class AgentWire {
  readonly state: WireState = new WireState();
  /** Resolves when the client has closed the agent's stdin. */
  readonly closed: Promise<void>;
  readonly #link: AgentLink;
  readonly #log: DialogueLog;
  readonly #encoder = new TextEncoder();
  #open = true;
  #overflow: string | undefined;

  constructor(link: AgentLink, log: DialogueLog, handle: (event: WireEvent) => void) {
    this.#link = link;
    this.#log = log;
    const lines = new ByteLines((line) => (line === "too long" ? this.#overflows("line") : this.#read(line, handle)));
    let size = 0;
    this.closed = new Promise((resolve) => {
      link.listen({
        data: (bytes) => {
          size += bytes.length;
          if (size > MAX_CONNECTION_BYTES) this.#overflows("connection");
          else lines.push(bytes);
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
      if (event.kind !== "raw" && emptyBelow(event.kind === "invalid message" ? event.value : event.message)) {
        this.#log.event(`the next message is nested deeper than ${MAX_LEVELS} levels; the kit drops the deeper parts`);
      }
      if (event.kind === "raw") this.#log.raw("client", event.text, event.problem);
      else this.#log.message("client", event.kind === "invalid message" ? event.value : event.message);
      this.state.clientSent(event);
      handle(event);
    }
  }

  /** Ends a connection on which the client writes more than the kit keeps. No rule limits messages. */
  #overflows(what: "line" | "connection"): void {
    if (this.#overflow !== undefined) return;
    this.#overflow = wroteTooMuch(what);
    this.#log.event(`${this.#overflow}; the kit ends the connection`);
    this.crash();
  }

  /** Why the kit ended the connection, if the client wrote more than the kit keeps. */
  get overflow(): string | undefined {
    return this.#overflow;
  }

  /** The arguments that the client added to the agent's command. */
  get extraArguments(): readonly string[] {
    return this.#link.extraArguments;
  }

  /** Sends one message, in one write. */
  send(message: Json): void {
    this.writeBytes(this.announce(message));
  }

  /** Writes any text, also text that is not a message or not a complete line. */
  sendText(text: string, because: string): void {
    this.#log.raw("agent", text.length > 200 ? `${text.slice(0, 200)}…` : text, because);
    this.writeBytes(this.#encoder.encode(text));
  }

  /** Writes bytes without logging them. */
  writeBytes(bytes: Uint8Array): void {
    if (this.#open) this.#link.write(bytes);
  }

  /** Logs a message whose bytes the caller writes with {@link writeBytes}. */
  announce(message: Json): Uint8Array {
    const whole = { jsonrpc: "2.0", ...message };
    this.#log.message("agent", whole);
    this.state.agentSent(message);
    return this.#encoder.encode(`${JSON.stringify(whole)}\n`);
  }

  /** Ends the agent like a process that exits by itself. */
  exit(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#log.event("the agent exits");
    this.#link.exit();
  }

  /** Kills the agent. */
  crash(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#log.event("the agent crashes");
    this.#link.crash();
  }
}
