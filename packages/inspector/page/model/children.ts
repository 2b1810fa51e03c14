import type { TranscriptEvent } from "@acp-kit/client";
import { childUpdateOf } from "@acp-kit/client/internal";
import type { IncomingSessionUpdate } from "@acp-kit/types";
import { decodeSessionNotification } from "@acp-kit/types/decode";
import { decodeUpdateSessionNotification } from "@acp-kit/types/v2/decode";
import { BackgroundWork, SessionReader } from "@acp-kit/v2/internal";
import { members } from "./members.js";
import type { SessionModel } from "./session-model.js";

interface Child {
  /** The session of the client to which the child belongs, directly or through other child sessions. */
  readonly owner: SessionModel;
  /** Reads updates of version 2. */
  readonly reader: SessionReader;
}

/** The maximum number of child sessions that are remembered. */
const MAX_CHILDREN = 10_000;

/**
 * The child sessions of a conversation, which the agent announces in updates. They are in the transcripts of their
 * owners.
 */
export class Children {
  readonly #children = new Map<string, Child>();

  ownerOf(sessionId: string): SessionModel | undefined {
    return this.#children.get(sessionId)?.owner;
  }

  /** Reads the announcement of a child session in the params of an update of `owner`, or of one of its children. */
  announced(params: unknown, owner: SessionModel): void {
    const update = members(members(params).update) as unknown as IncomingSessionUpdate;
    const sessionId = childUpdateOf(update)?.sessionId;
    if (sessionId === undefined || sessionId === owner.sessionId || this.#children.size >= MAX_CHILDREN) return;
    if (!this.#children.has(sessionId))
      this.#children.set(sessionId, { owner, reader: new SessionReader(new BackgroundWork()) });
  }

  /** Applies the params of `session/update` of a child session. Returns whether the session is one. */
  update(sessionId: string, params: unknown, isVersion2: boolean): boolean {
    const child = this.#children.get(sessionId);
    if (child === undefined) return false;
    const { owner, reader } = child;
    const apply = (update: IncomingSessionUpdate): void => {
      this.apply(sessionId, { type: "update", update });
    };
    this.announced(params, owner);
    try {
      if (isVersion2) reader.read(decodeUpdateSessionNotification(params).update, undefined, apply);
      else apply(decodeSessionNotification(params).update);
    } catch {
      // The message is invalid. The list of messages shows it with its marks.
    }
    return true;
  }

  /** Applies an event of a child session. Returns whether the session is one. */
  apply(sessionId: string, event: TranscriptEvent): boolean {
    const child = this.#children.get(sessionId);
    if (child === undefined) return false;
    if (event.type !== "child") child.owner.apply({ type: "child", sessionId, event });
    return true;
  }
}
