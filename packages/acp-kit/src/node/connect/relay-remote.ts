import type { Readable, Writable } from "node:stream";
import { bridgeTransports } from "@acp-kit/http";
import { onAbort } from "@acp-kit/protocol/internal";
import { nodeTransport } from "@acp-kit/stdio/node";
import { type RemoteTarget, shownUrl } from "../agent-target.js";
import { CommandFailure } from "../command-failure.js";
import { ExitCode } from "../exit-code.js";
import type { Log } from "../log.js";
import { openRemote } from "../remote-agent.js";
import { ClientStream } from "./client-stream.js";

/** Options of {@link relayRemote}. */
export interface RelayOptions {
  /** The stream that the client writes to. */
  readonly input: Readable;
  /** The stream that the client reads from. */
  readonly output: Writable;
  /** A signal that ends the relay in an orderly way. */
  readonly stop?: AbortSignal;
  /** Logs a lost and a restored connection. */
  readonly log?: Pick<Log, "warn">;
  readonly onMalformed?: (message: string) => void;
}

/**
 * Makes a remote agent available on two streams. Forwards messages in both directions, in order and unchanged, except
 * for a folder that the server refuses: see {@link ClientStream}. If one side does not read, the other side waits. If
 * the server supports reconnecting, the function restores a lost connection, and the client does not notice. Resolves
 * when the client has disconnected or `stop` aborts.
 *
 * @throws {RemoteError} if the agent can't be reached, or the connection is lost permanently.
 * @throws {CommandFailure} when the server ends the connection.
 */
export async function relayRemote(target: RemoteTarget, options: RelayOptions): Promise<void> {
  const { input, output, stop, log, onMalformed } = options;
  const remote = await openRemote(target, { ...(log !== undefined && { log }) });
  const client = new ClientStream(nodeTransport(input, output));
  const bridge = bridgeTransports(client, await remote.open(), {
    onMalformed: ({ message }) => onMalformed?.(message),
  });
  const onStop = (): void => void bridge.close();
  if (stop !== undefined) onAbort(stop, onStop);
  const error = await bridge.closed;
  stop?.removeEventListener("abort", onStop);
  await remote.close();
  // The client has disconnected, so the error comes from its streams
  if (stop?.aborted || client.end === "gone") return;
  if (client.end === "ended" && error === undefined) return;
  throw error ?? new CommandFailure(ExitCode.agentFailed, `${shownUrl(target.url)} ended the connection.`);
}
