import type { WebSocket } from "ws";
import type { LiveMarks } from "../marks/live-marks.js";
import type { WireLog } from "../wire/wire-log.js";
import { readCommand } from "./page-command.js";
import type { PageCommand, ServerMessage, ServerState } from "./protocol.js";

/** The parts of the inspector that a page uses. */
export interface PageHost {
  readonly log: WireLog;
  readonly marks: LiveMarks;
  readonly state: () => ServerState;
  /** Runs a command. `reply` sends the result to the page from which the command came. */
  readonly run: (command: PageCommand, reply: (message: ServerMessage) => void) => void;
}

/** How long new lines are collected before they are sent, in milliseconds. This is about the time of one frame. */
const FLUSH_MS = 25;
/** The approximate maximum number of characters in one batch. */
const MAX_BATCH = 262_144;
/** The maximum number of unsent bytes. If there are more, the connection waits until the page has read. */
const MAX_UNSENT = 1_048_576;

/**
 * The connection of one page. It sends the recorded lines to the page from the first line on, in batches, as fast as
 * the page reads. A slow page needs no additional memory, because the lines are read from the recording.
 */
export class PageConnection {
  readonly #socket: WebSocket;
  readonly #host: PageHost;
  #position = 0;
  #hasNewMarks = true;
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
  }

  sendState(): void {
    this.#send({ is: "state", ...this.#host.state() });
  }

  /** Sends all marks when the page has read earlier messages. Each list of marks replaces the previous list. */
  sendMarks(): void {
    this.#hasNewMarks = true;
    this.#schedule();
  }

  #received(text: string): void {
    const command = readCommand(text);
    if (command === undefined) {
      this.#socket.close(1007, "not a command");
      return;
    }
    try {
      this.#host.run(command, (message) => this.#send(message));
    } catch {
      this.#socket.close(1007, "the message can't be serialized"); // for example, a message that is nested too deep
    }
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
      // The lines are already JSON, so they follow this message unchanged.
      const envelope: ServerMessage = { is: "entries", from: this.#position };
      this.#socket.send(`${JSON.stringify(envelope)}\n${lines.join("")}`);
      this.#position += lines.length;
    }
    if (this.#hasNewMarks && this.#socket.bufferedAmount < MAX_UNSENT) {
      this.#hasNewMarks = false;
      this.#send({ is: "marks", marks: this.#host.marks.list });
    }
    if (this.#position < log.length || this.#hasNewMarks) this.#schedule();
  }

  #send(message: ServerMessage): void {
    if (!this.#isClosed) this.#socket.send(JSON.stringify(message));
  }
}
