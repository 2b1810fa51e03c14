import { connectAgent } from "@acp-kit/client";
import type { Transport } from "@acp-kit/jsonrpc";
import { bridgeVersions } from "@acp-kit/v2/bridge";

/** Prompts an agent of version 1 or 2, such as one from `spawnAgent`, and returns the text of its answer. */
export async function ask(agent: Transport, prompt: string, log: (line: string) => void): Promise<string> {
  const transport = bridgeVersions(agent, {
    onDiagnostic: ({ message }) => log(message), // what a version can't express, once for each kind
  });
  const connection = await connectAgent(transport);
  try {
    const session = await connection.newSession({ cwd: "/work" });
    return await session.prompt(prompt).text();
  } finally {
    await connection.close();
  }
}
