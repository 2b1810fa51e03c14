import { Connection, isConnectionError } from "@acp-kit/jsonrpc";
import { isProcessError, spawnAgent } from "@acp-kit/stdio/node";

/** Starts an agent, sends it one request and ends it, with all its processes. */
export async function greet(command: string, args: string[]): Promise<string> {
  const agent = spawnAgent({ command, args });
  const connection = new Connection(agent);
  connection.listen();
  try {
    return await connection.request<string>("greet", { name: "Ada" });
  } catch (error) {
    // The `cause` says what happened to the process: not found, not executable, exited, killed, silent, …
    if (isConnectionError(error) && isProcessError(error.cause)) return `${error.cause.code}: ${error.cause.message}`;
    throw error;
  } finally {
    await agent.close();
  }
}
