import { linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import type { Recording } from "../format.js";
import { runsOf } from "../runs.js";
import { ReplayConnection } from "./replay-connection.js";
import type { ReplayOptions } from "./replay-options.js";

/** A recording that can be talked to. Each connection begins it anew. */
export interface Replayer {
  /** Replays to the peer at the other end of a transport. It is what `serveStdio` of `@acp-kit/stdio/node` asks for. */
  connect(transport: Transport): ReplayConnection;
  /** Replays in this process: what it returns is for `connectAgent`, or for the connection of an agent. */
  open(): { readonly transport: Transport; readonly connection: ReplayConnection };
}

/**
 * Makes a peer of a recording: an agent (or a client) that says again what was said, each thing at its place in the dialogue.
 *
 * What the live peer says is found in the recording by its method and its meaning; ids stand for each other; where it differs, that is
 * reported, and the replay goes on as well as it can. Of several connections in one recording (see {@link runsOf}) the first is replayed.
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
