import { linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import type { Recording } from "../format.js";
import { runsOf } from "../runs.js";
import { ReplayConnection } from "./replay-connection.js";
import type { ReplayOptions } from "./replay-options.js";

/** A recording that plays an agent or a client. Each connection replays the recording from its beginning. */
export interface Replayer {
  /** Replays the recording to the peer of a transport. `serveStdio` of `@acp-kit/stdio/node` calls it. */
  connect(transport: Transport): ReplayConnection;
  /** Replays the recording in the current process: pass the returned transport to `connectAgent`, or to an agent. */
  open(): { readonly transport: Transport; readonly connection: ReplayConnection };
}

/**
 * Creates an agent or a client from a recording. It sends the messages of the recorded peer again, and sends each
 * message only after the live peer has sent the messages that came before it in the recording.
 *
 * The replay finds the recorded message for each message of the live peer by its method and params, and translates ids
 * between the two. The replay reports differences and continues with the closest recorded message. If the recording has
 * several connections, the first is replayed; {@link runsOf} returns all of them.
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
  checkOptions("createReplayer", options, optionKinds);
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

const optionKinds: OptionKinds<ReplayOptions> = {
  as: ["client", "agent"],
  strict: "value",
  paths: "value",
  clock: "value",
  onDifference: "function",
};
