import { type Diagnostic, isConnectionError, isRpcError } from "@acp-kit/protocol";
import type { IncomingContentBlock, IncomingSessionUpdate, PromptResponse } from "@acp-kit/types";
import { isSessionFact } from "./session-facts.js";
import { Transcript, type TranscriptOptions } from "./transcript.js";
import type { SessionOpenedEvent, TranscriptEvent } from "./transcript-event.js";

/** What a client decides about the transcripts of its sessions. */
export type TranscriptSetting = false | Pick<TranscriptOptions, "schedule">;

/** What a {@link SessionTranscript} needs of the connection. */
export interface SessionTranscriptHost {
  readonly transcript: TranscriptSetting;
  readonly report: (diagnostic: Diagnostic) => void;
}

/**
 * What happens in a session, told to its transcript. Where the client wants none, it costs a comparison per update; where nothing has happened
 * but that the session was opened, there is none yet.
 */
export class SessionTranscript {
  readonly #host: SessionTranscriptHost;
  readonly #sessionId: string;
  #transcript: Transcript | undefined;
  /** How the session was opened, until there is a transcript to tell. */
  #untold: SessionOpenedEvent | undefined;
  #replaying: "listeners" | "nobody" | undefined;
  #opened = false;

  constructor(host: SessionTranscriptHost, sessionId: string) {
    this.#host = host;
    this.#sessionId = sessionId;
  }

  /** @throws {TypeError} when the client wants no transcripts. */
  get transcript(): Transcript {
    const transcript = this.#transcript ?? this.#make();
    if (transcript !== undefined) return transcript;
    throw new TypeError("This client keeps no transcripts: it was connected with `transcript: false`");
  }

  tell(event: TranscriptEvent): void {
    (this.#transcript ?? this.#make())?.apply(event);
  }

  /** A history that nobody is to hear is one that the transcript has; what it says about the session may be new all the same. */
  update(update: IncomingSessionUpdate): void {
    if (this.#replaying === "nobody" && !isSessionFact(update)) return;
    (this.#transcript ?? this.#make())?.update(update);
  }

  opened(event: Omit<SessionOpenedEvent, "type">): void {
    const opened = { type: "session_opened", ...event } as const;
    this.#opened = true;
    if (this.#transcript === undefined && this.#untold === undefined) this.#untold = opened;
    else this.tell(opened);
  }

  /** The history is told, and to whom. It was complete if the session was opened before it ended. */
  replaying(to: "listeners" | "nobody" | undefined): void {
    if (to === "listeners") this.tell({ type: "replay_began" });
    else if (this.#replaying === "listeners") this.tell({ type: "replay_ended", failed: !this.#opened });
    this.#replaying = to;
    this.#opened = false;
  }

  promptSent(prompt: readonly IncomingContentBlock[]): void {
    this.tell({ type: "prompt_sent", prompt });
  }

  /** The answer is here: nothing that follows belongs to the turn. */
  turnSettled(): void {
    this.tell({ type: "turn_ended" });
  }

  turnAnswered(response: PromptResponse): void {
    this.tell({ type: "turn_ended", stopReason: response.stopReason, response });
  }

  turnFailed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const code = isRpcError(error) || isConnectionError(error) ? error.code : undefined;
    this.tell({ type: "turn_ended", error: { message, ...(code !== undefined && { code }) } });
  }

  #make(): Transcript | undefined {
    const setting = this.#host.transcript;
    if (setting === false) return undefined;
    const onError = (cause: unknown): void => {
      const message = `A subscriber of the transcript of session ${this.#sessionId} failed`;
      this.#host.report({ code: "handler_failed", message, cause });
    };
    const transcript = new Transcript({ ...setting, onError });
    this.#transcript = transcript;
    if (this.#untold !== undefined) transcript.apply(this.#untold);
    this.#untold = undefined;
    return transcript;
  }
}
