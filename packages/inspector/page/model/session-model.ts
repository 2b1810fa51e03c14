import { createTranscript, type Transcript, type TranscriptEvent, type TranscriptSnapshot } from "@acp-kit/client";
import { decodeSessionNotification } from "@acp-kit/types/decode";
import { asText, members } from "./members.js";
import { SessionWork } from "./session-work.js";

/** The state of a session, built from its messages. */
export class SessionModel {
  readonly sessionId: string;
  cwd: string | undefined;
  isClosed = false;
  /** The number of prompts that the client has sent. */
  prompts = 0;
  /** The work of the session, if the connection is of version 2. */
  work: SessionWork | undefined;
  /** The transcript never notifies subscribers, because the page reads the snapshot once per frame. */
  readonly #transcript: Transcript = createTranscript({ schedule: () => {} });

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  /** The session is used on a connection of this version. */
  connected(isVersion2: boolean): void {
    if (!isVersion2) this.work = undefined;
    else this.work ??= new SessionWork((event) => this.apply(event));
  }

  get snapshot(): TranscriptSnapshot {
    return this.#transcript.snapshot;
  }

  apply(event: TranscriptEvent): void {
    try {
      this.#transcript.apply(event);
    } catch {
      // The message is invalid. The list of messages shows it with its marks.
    }
  }

  update(params: unknown): void {
    try {
      if (this.work !== undefined) this.work.update(params);
      else this.#transcript.update(decodeSessionNotification(params).update);
    } catch {
      this.apply({
        type: "update",
        update: { sessionUpdate: `_invalid ${asText(members(members(params).update).sessionUpdate)}` } as never,
      });
    }
  }
}
