import { AgentProcess } from "./agent-process.js";
import type { SpawnAgentOptions } from "./spawn-options.js";

/**
 * Starts an agent as a child process and returns it as a transport over its standard input and output.
 *
 * It returns at once; pass the result to a connection. Every failure, before the start or later, reaches the connection as one
 * `ProcessError`, and every pending request as its `cause`.
 *
 * The process and its descendants belong to the transport: it leads its own process group, and closing (or `await using`) ends
 * its input, waits `exitGraceMs`, sends the group `SIGTERM`, waits `termGraceMs`, and sends it `SIGKILL`. A program that moves
 * itself into another group or session is reported, and ended with `detachedProcesses: "end"`.
 *
 * @throws {TypeError} when an option is invalid; nothing is started then.
 * @see https://agentclientprotocol.com/protocol/transports
 */
export function spawnAgent(options: SpawnAgentOptions): AgentProcess {
  return new AgentProcess(options);
}
