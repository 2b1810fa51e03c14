import { AgentProcess } from "./agent-process.js";
import type { SpawnAgentOptions } from "./spawn-options.js";

/**
 * Starts an agent as a child process and speaks to it over its standard input and output.
 *
 * It returns at once; hand the result to a connection as its transport. Whatever goes wrong, before the start or later,
 * reaches the connection as one `ProcessError`, and so every pending request as its `cause`.
 *
 * The process belongs to the transport, with everything it starts: it leads a process group of its own, and closing (or `await
 * using`) ends its input, waits, sends the group `SIGTERM`, waits, and sends it `SIGKILL`. A program that puts itself into another
 * group or session is reported, and ended with `detachedProcesses: "end"`.
 *
 * @throws {TypeError} when the options are not what they should be; nothing was started.
 * @see https://agentclientprotocol.com/protocol/transports
 */
export function spawnAgent(options: SpawnAgentOptions): AgentProcess {
  return new AgentProcess(options);
}
