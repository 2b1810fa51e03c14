import { createTranscript, type Transcript, type TranscriptEvent, type TranscriptSnapshot } from "@acp-kit/client";
import { decodeSessionNotification } from "@acp-kit/types/decode";
import { members } from "./members.js";

/** A session as its messages show it. */
export class SessionModel {
  readonly sessionId: string;
  cwd: string | undefined;
  isClosed = false;
  /** It has no subscriber: the page reads the snapshot once in a frame. */
  readonly #transcript: Transcript = createTranscript({ schedule: () => {} });

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  get snapshot(): TranscriptSnapshot {
    return this.#transcript.snapshot;
  }

  apply(event: TranscriptEvent): void {
    try {
      this.#transcript.apply(event);
    } catch {
      // A message that breaks the protocol: the wire shows it with its marks.
    }
  }

  update(params: unknown): void {
    try {
      this.#transcript.update(decodeSessionNotification(params).update);
    } catch {
      this.apply({
        type: "update",
        update: { sessionUpdate: `_invalid ${String(members(members(params).update).sessionUpdate)}` } as never,
      });
    }
  }
}
