import { isConnectionError, isRpcError } from "@acp-kit/protocol";
import type { IncomingContentBlock, IncomingSessionUpdate, PromptResponse } from "@acp-kit/types";
import { isSessionFact } from "./session-facts.js";
import { createTranscript, type Transcript, type TranscriptOptions } from "./transcript.js";
import type { SessionOpenedEvent, TranscriptEvent } from "./transcript-event.js";

/** What a client decides about the transcripts of its sessions. */
export type TranscriptSetting = false | Pick<TranscriptOptions, "schedule">;

/** What happens in a session, told to its transcript. Where the client wants none, it costs a comparison per update. */
export class SessionTranscript {
  readonly #transcript: Transcript | undefined;
  #replaying: "listeners" | "nobody" | undefined;
  #opened = false;

  constructor(setting: TranscriptSetting, onError: (error: unknown) => void) {
    this.#transcript = setting === false ? undefined : createTranscript({ ...setting, onError });
  }

  /** @throws {TypeError} when the client wants no transcripts. */
  get transcript(): Transcript {
    if (this.#transcript !== undefined) return this.#transcript;
    throw new TypeError("This client keeps no transcripts: it was connected with `transcript: false`");
  }

  tell(event: TranscriptEvent): void {
    this.#transcript?.apply(event);
  }

  /** A history that nobody is to hear is one that the transcript has; what it says about the session may be new all the same. */
  update(update: IncomingSessionUpdate): void {
    if (this.#replaying !== "nobody" || isSessionFact(update)) this.#transcript?.update(update);
  }

  opened(event: Omit<SessionOpenedEvent, "type">): void {
    this.#opened = true;
    this.tell({ type: "session_opened", ...event });
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
}
