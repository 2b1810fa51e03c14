import { checkOptions } from "@acp-kit/jsonrpc/internal";
import { AgentProcess } from "./agent-process.js";
import { type SpawnAgentOptions, spawnOptionKinds } from "./spawn-options.js";

/**
 * Starts an agent as a child process and returns it as a transport over its standard input and output.
 *
 * The function returns immediately, before the process runs. Pass the result to `connectAgent` or to a connection. If
 * the process can't start, or ends unexpectedly, the transport fails with one `ProcessError`. It is the `cause` of the
 * errors of all pending requests.
 *
 * The transport owns the process, which leads its own process group. Closing the transport ends the process's input,
 * waits `exitGraceMs`, sends the group `SIGTERM`, waits two seconds, and sends it `SIGKILL`. If a descendant has moved
 * itself into another process group or session, the library reports the descendant; with `detachedProcesses: "end"`,
 * the library also ends it.
 *
 * @throws {TypeError} when an option is invalid. In this case, no process is started.
 * @see https://agentclientprotocol.com/protocol/transports
 */
export function spawnAgent(options: SpawnAgentOptions): AgentProcess {
  checkOptions("spawnAgent", options, spawnOptionKinds, "", { isOpen: true });
  return new AgentProcess(options);
}
