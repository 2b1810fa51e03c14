import type { Diagnostic, Message } from "@acp-kit/jsonrpc";
import type { Lost } from "../codec/loss.js";

/** Delivers the messages of a conversion, and receives its reports. */
export interface Exchange {
  toAgent(message: Message): void;
  toClient(message: Message, size?: number): void;
  readonly lost: Lost;
  report(diagnostic: Diagnostic): void;
  /** Whether to refuse requests that can't be converted without loss. */
  readonly strict: boolean;
  /**
   * How long an agent of version 1 may take to end a cancelled turn. After that time, the client gets the end from the
   * bridge.
   */
  readonly cancelGraceMs: number;
}

/** Converts all messages between a client and an agent of different versions. */
export interface Conversion {
  fromClient(message: Message): void;
  fromAgent(message: unknown, size: number): void;
  /** Stops the timers. Nothing is sent after this call. */
  close(): void;
}

/** Creates a notification `session/update`, with other members of its params. */
export function updateOf(sessionId: string, update: object, params: object = {}): Message {
  return { jsonrpc: "2.0", method: "session/update", params: { ...params, sessionId, update } };
}
