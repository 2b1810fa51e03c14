import type { Readable, Writable } from "node:stream";
import { bridgeTransports } from "@acp-kit/http";
import { nodeTransport, spawnAgent } from "@acp-kit/stdio/node";
import { type BridgeVersionsOptions, bridgeVersions } from "@acp-kit/v2/bridge";
import type { AgentCommand } from "../agent-target.js";
import { CommandFailure } from "../command-failure.js";
import { ClientStream } from "../connect/client-stream.js";
import { ExitCode } from "../exit-code.js";
import type { Log } from "../log.js";

/** Options of {@link bridgeAgent}. */
export interface BridgeAgentOptions extends Pick<BridgeVersionsOptions, "prefer" | "strict"> {
  readonly cwd: string;
  /** The stream that the client writes to. */
  readonly input: Readable;
  /** The stream that the client reads from. */
  readonly output: Writable;
  /** A signal that ends the agent in an orderly way. */
  readonly stop: AbortSignal;
  readonly log: Log;
}

/**
 * Starts an agent, and connects it with the client on two streams. If they speak different versions of the protocol,
 * converts all messages. Resolves when the client has disconnected or `stop` aborts, and the agent has ended.
 *
 * @throws {ProcessError} when the agent can't be started, or ends unexpectedly.
 */
export async function bridgeAgent({ identity: _, ...agent }: AgentCommand, options: BridgeAgentOptions): Promise<void> {
  const { cwd, input, output, stop, log, ...versions } = options;
  const process = spawnAgent({ ...agent, cwd, onStderr: (line) => log.info(`agent: ${line}`) });
  const client = new ClientStream(nodeTransport(input, output));
  const bridge = bridgeTransports(
    client,
    bridgeVersions(process, { ...versions, onDiagnostic: ({ message }) => log.warn(message) }),
    { onMalformed: ({ message }) => log.warn(`skipped: ${message}`) },
  );
  stop.addEventListener("abort", () => void bridge.close(), { once: true });
  const error = await bridge.closed;
  if (stop.aborted || client.end === "gone") return;
  if (client.end === "ended" && error === undefined) return;
  throw error ?? new CommandFailure(ExitCode.agentFailed, `${agent.command} ended.`);
}
