import type { EventStreamClient } from "./event-stream-client.js";

/**
 * How long a session's stream must have been quiet, in milliseconds, before the response to a request that
 * replays the session is delivered, if it arrives in the connection stream.
 *
 * A server of this package sends that response in the session's stream, after the replay. The server of the official
 * TypeScript SDK (2.4) sends it in the connection stream, as the specification says, without an order between the two
 * streams (RT-15). Over two sockets it may then overtake the replay.
 */
const QUIET_MS = 50;

/** Calls `deliver` when the stream has been quiet for `QUIET_MS`. */
export function whenQuiet(stream: EventStreamClient, deliver: () => void): void {
  const since = performance.now();
  const check = (): void => {
    const remaining = Math.max(stream.lastSign, since) + QUIET_MS - performance.now();
    if (remaining <= 0) deliver();
    else setTimeout(check, Math.ceil(remaining));
  };
  check();
}
