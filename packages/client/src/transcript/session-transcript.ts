import { type Diagnostic, isConnectionError, isRpcError } from "@acp-kit/protocol";
import type { IncomingContentBlock, IncomingSessionUpdate, PromptResponse } from "@acp-kit/types";
import { isSessionFact } from "./session-facts.js";
import { Transcript, type TranscriptOptions } from "./transcript.js";
import type { SessionOpenedEvent, TranscriptEvent } from "./transcript-event.js";

/** The option `transcript` of a client: `false` for no transcripts, or an object with the options of all transcripts. */
export type TranscriptSetting = false | Pick<TranscriptOptions, "schedule">;

/** The settings and functions of the client that a {@link SessionTranscript} uses. */
export interface SessionTranscriptHost {
  readonly transcript: TranscriptSetting;
  readonly report: (diagnostic: Diagnostic) => void;
}

/**
 * Applies the events of a session to its transcript, which is created at the first event after the session was opened.
 * If the client keeps no transcripts, no transcript is created, and updates are ignored.
 */
export class SessionTranscript {
  readonly #host: SessionTranscriptHost;
  readonly #sessionId: string;
  #transcript: Transcript | undefined;
  /** The event with which the session was opened, kept until the transcript is created. */
  #openedEvent: SessionOpenedEvent | undefined;
  #replaying: "listeners" | "none" | undefined;
  #opened = false;

  constructor(host: SessionTranscriptHost, sessionId: string) {
    this.#host = host;
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

  onPromptSent(prompt: readonly IncomingContentBlock[]): void {
    this.apply({ type: "prompt_sent", prompt });
  }

  onTurnJoined(): void {
    this.apply({ type: "turn_joined" });
  }

  onTurnCancelling(): void {
    this.apply({ type: "turn_cancelled" });
  }

  /** Ends the turn. Called when the response arrives, because later updates don't belong to the turn. */
  onTurnEnded(isJoined: boolean): void {
    this.apply({ type: "turn_ended", ...joinedIf(isJoined) });
  }

  onTurnResponse(isJoined: boolean, response: PromptResponse): void {
    this.apply({ type: "turn_ended", ...joinedIf(isJoined), stopReason: response.stopReason, response });
  }

  onTurnFailed(isJoined: boolean, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const code = isRpcError(error) || isConnectionError(error) ? error.code : undefined;
    this.apply({ type: "turn_ended", ...joinedIf(isJoined), error: { message, ...(code !== undefined && { code }) } });
  }

  #make(): Transcript | undefined {
    const setting = this.#host.transcript;
    if (setting === false) return undefined;
    const onError = (cause: unknown): void => {
      const message = `A subscriber or \`schedule\` of the transcript of session ${this.#sessionId} failed`;
      this.#host.report({ code: "handler_failed", message, cause });
    };
    const transcript = new Transcript({ ...setting, onError });
    this.#transcript = transcript;
    if (this.#openedEvent !== undefined) transcript.apply(this.#openedEvent);
    this.#openedEvent = undefined;
    return transcript;
  }
}

function joinedIf(isJoined: boolean): { readonly joined?: true } {
  return isJoined ? { joined: true } : {};
}
