import type { RedisScript } from "./redis-scripts.js";

/** The operations of Redis that the engine uses. Every promise rejects with an `EngineError`. @internal */
export interface RedisPort {
  /** Runs a script atomically. */
  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Sends one command. */
  command(...words: readonly string[]): Promise<unknown>;
  /**
   * Calls `onMessage` after each message on a channel. Also calls it when messages may have been missed: after the
   * subscription has begun, and after a reconnect. The returned function removes the listener.
   */
  subscribe(channel: string, onMessage: () => void): () => void;
  close(): Promise<void>;
}
