import type { Readable, Writable } from "node:stream";
import { bridgeTransports } from "@acp-kit/http";
import { onAbort } from "@acp-kit/protocol";
import { nodeTransport } from "@acp-kit/stdio/node";
import { type RemoteTarget, shownUrl } from "../agent-target.js";
import { CommandFailure } from "../command-failure.js";
import { ExitCode } from "../exit-code.js";
import type { Log } from "../log.js";
import { openRemote } from "../remote-agent.js";
import { ClientStream } from "./client-stream.js";

/** What {@link relayRemote} relays between, beside the agent. */
export interface RelayOptions {
  /** What the client writes. */
  readonly input: Readable;
  /** What the client reads. */
  readonly output: Writable;
  /** Ends it in good order. */
  readonly stop?: AbortSignal;
  /** Where a lost connection, and its return, are reported. */
  readonly log?: Pick<Log, "warn" | "info">;
  readonly onMalformed?: (message: string) => void;
}

/**
 * Plays a remote agent on two streams. What arrives on one side leaves on the other, in order and unchanged; a side that does not read holds back
 * the other. With a server that keeps connections, a lost connection is restored, and the client notices nothing. Resolves when the client has left, or `stop` is aborted.
 *
 * @throws {RemoteError} when the agent can't be reached, or is lost.
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
  if (stop?.aborted || client.end === "gone") return; // the error is that of its streams
  if (client.end === "ended" && error === undefined) return;
  throw error ?? new CommandFailure(ExitCode.agentFailed, `${shownUrl(target.url)} ended the connection.`);
}
