import { linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import type { Recording } from "../format.js";
import { runsOf } from "../runs.js";
import { ReplayConnection } from "./replay-connection.js";
import type { ReplayOptions } from "./replay-options.js";

/** A recording as a peer. Each connection starts it from the beginning. */
export interface Replayer {
  /** Replays to the peer at the other end of a transport. `serveStdio` of `@acp-kit/stdio/node` calls it. */
  connect(transport: Transport): ReplayConnection;
  /** Replays in this process: the returned transport is for `connectAgent`, or for the connection of an agent. */
  open(): { readonly transport: Transport; readonly connection: ReplayConnection };
}

/**
 * Creates a peer from a recording: an agent (or a client) that sends the recorded messages again, each at its place in the dialogue.
 *
 * Messages of the live peer are matched to the recording by method and meaning; corresponding ids are translated. Differences are
 * reported, and the replay continues as well as possible. Of several connections in one recording (see {@link runsOf}) the first is replayed.
 *
 * @example
 * ```ts
 * const { transport, connection } = createReplayer(await readRecordingFile("session.jsonl")).open();
 * const agent = await connectAgent(transport);
 * // … the test …
 * await agent.close();
 * expect(formatDifferences((await connection.closed).differences)).toBe("");
 * ```
 */
export function createReplayer(recording: Recording, options: ReplayOptions = {}): Replayer {
  const run = runsOf(recording)[0] ?? recording;
  const connect = (transport: Transport): ReplayConnection => new ReplayConnection(run, transport, options);
  return {
    connect,
    open() {
      const [ours, transport] = linkedTransports();
      return { transport, connection: connect(ours) };
    },
  };
}
