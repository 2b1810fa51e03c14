import type { RedisScript } from "./redis-scripts.js";

/** All that the engine needs of Redis. Every promise rejects with an `EngineError`. @internal */
export interface RedisPort {
  /** Runs a script as one step. */
  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Sends one command. */
  command(...words: readonly string[]): Promise<unknown>;
  /**
   * Calls `onMessage` after each message on a channel, and whenever messages may have been missed: after the subscription has begun, and
   * after a reconnect. The returned function ends that.
   */
  subscribe(channel: string, onMessage: () => void): () => void;
  close(): Promise<void>;
}
