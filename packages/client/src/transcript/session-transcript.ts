import type { Diagnostic } from "@acp-kit/protocol";
import type { IncomingSessionUpdate } from "@acp-kit/types";
import { isSessionFact } from "./session-facts.js";
import { Transcript, type TranscriptOptions } from "./transcript.js";
import type { SessionOpenedEvent, TranscriptEvent } from "./transcript-event.js";
import type { ExtendTranscript } from "./transcript-extension.js";
import { emptyTranscript } from "./transcript-snapshot.js";

/**
 * The option `transcript` of a client: `false` for no transcripts, or an object with the options of all transcripts.
 */
export type TranscriptSetting = false | Pick<TranscriptOptions, "schedule">;

/** The setting of a client for its transcripts, and its diagnostics. */
interface TranscriptClient {
  readonly transcript: TranscriptSetting;
  /** The extension of the transcripts for the version of the protocol and the features of the connection. */
  readonly extendTranscript?: ExtendTranscript | undefined;
  readonly report: (diagnostic: Diagnostic) => void;
}

/**
 * Applies the events of a session to its transcript, which is created at the first event after the session was opened.
 * If the client keeps no transcripts, no transcript is created, and updates are ignored.
 */
export class SessionTranscript {
  readonly #client: TranscriptClient;
  readonly #sessionId: string;
  #transcript: Transcript | undefined;
  /** The event with which the session was opened, kept until the transcript is created. */
  #openedEvent: SessionOpenedEvent | undefined;
  #replaying: "listeners" | "none" | undefined;
  #opened = false;

  constructor(client: TranscriptClient, sessionId: string) {
    this.#client = client;
    this.#sessionId = sessionId;
  }

  /** @throws {TypeError} when the client keeps no transcripts. */
  get transcript(): Transcript {
    const transcript = this.#transcript ?? this.#make();
    if (transcript !== undefined) return transcript;
    throw new TypeError("This client keeps no transcripts: it was connected with `transcript: false`");
  }

  apply(event: TranscriptEvent): void {
    (this.#transcript ?? this.#make())?.apply(event);
  }

  /**
   * Applies an update. During the replay `"none"`, it applies only updates of the session's state: the client opens the
   * session again, and the transcript already contains the history.
   */
  update(update: IncomingSessionUpdate): void {
    if (this.#replaying === "none" && !isSessionFact(update)) return;
    (this.#transcript ?? this.#make())?.update(update);
  }

  onOpened(event: Omit<SessionOpenedEvent, "type">): void {
    const opened = { type: "session_opened", ...event } as const;
    this.#opened = true;
    if (this.#transcript === undefined && this.#openedEvent === undefined) this.#openedEvent = opened;
    else this.apply(opened);
  }

  /**
   * Starts a replay, or ends it (`undefined`). If `onOpened` was not called since the start, the load has failed.
   * `running`: the last turn of the history still runs, and this client did not start it.
   */
  setReplay(to: "listeners" | "none" | undefined, running = false): void {
    if (to === "listeners") this.apply({ type: "replay_began" });
    else if (this.#replaying === "listeners") this.apply({ type: "replay_ended", failed: !this.#opened, running });
    this.#replaying = to;
    this.#opened = false;
  }

  #make(): Transcript | undefined {
    const setting = this.#client.transcript;
    if (setting === false) return undefined;
    const onError = (cause: unknown): void => {
      const message = `A subscriber or \`schedule\` of the transcript of session ${this.#sessionId} failed`;
      this.#client.report({ code: "handler_failed", message, cause });
    };
    const transcript = new Transcript({ ...setting, onError }, emptyTranscript, this.#client.extendTranscript);
    this.#transcript = transcript;
    if (this.#openedEvent !== undefined) transcript.apply(this.#openedEvent);
    this.#openedEvent = undefined;
    return transcript;
  }
}
