import type { WebSocket } from "ws";
import type { LiveMarks } from "../marks/live-marks.js";
import type { WireLog } from "../wire/wire-log.js";
import { type PageCommand, readCommand } from "./page-command.js";

/** What a page sees and does. */
export interface PageHost {
  readonly log: WireLog;
  readonly marks: LiveMarks;
  /** The state beside the wire, for the page: plain JSON. */
  readonly state: () => object;
  /** Runs a command; `reply` sends its result to the page that sent it. */
  readonly run: (command: PageCommand, reply: (message: object) => void) => void;
}

/** How long lines are collected before they are sent, in milliseconds: about a frame. */
const FLUSH_MS = 25;
/** The number of characters of one batch. */
const MAX_BATCH = 262_144;
/** The number of unsent bytes above which a page that reads slowly is waited for. */
const MAX_UNSENT = 1_048_576;

/**
 * The connection of one page: sends it the wire from the first line on, in batches, at the pace at which the page reads. The log is the
 * buffer, so a slow page costs no memory.
 */
export class PageConnection {
  readonly #socket: WebSocket;
  readonly #host: PageHost;
  #position = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(socket: WebSocket, host: PageHost) {
    this.#socket = socket;
    this.#host = host;
    const stop = host.log.onLine(() => this.#schedule());
    socket.on("message", (data) => this.#received(String(data)));
    socket.on("close", () => {
      this.#isClosed = true;
      clearTimeout(this.#timer);
      stop();
    });
    this.#send({ is: "hello", header: host.log.header, count: host.log.length, ...host.state() });
    this.#schedule();
    this.sendMarks();
  }

  sendState(): void {
    this.#send({ is: "state", ...this.#host.state() });
  }

  sendMarks(): void {
    this.#send({ is: "marks", marks: this.#host.marks.list });
  }

  #received(text: string): void {
    const command = readCommand(text);
    if (command === undefined) {
      this.#socket.close(1007, "not a command");
      return;
    }
    this.#host.run(command, (message) => this.#send(message));
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#flush();
    }, FLUSH_MS);
  }

  #flush(): void {
    const { log } = this.#host;
    while (this.#position < log.length && this.#socket.bufferedAmount < MAX_UNSENT) {
      const lines = log.read(this.#position, MAX_BATCH);
      // The lines are JSON already: they follow the envelope as they are.
      this.#socket.send(`${JSON.stringify({ is: "entries", from: this.#position })}\n${lines.join("")}`);
      this.#position += lines.length;
    }
    if (this.#position < log.length) this.#schedule();
  }

  #send(message: object): void {
    if (!this.#isClosed) this.#socket.send(JSON.stringify(message));
  }
}
