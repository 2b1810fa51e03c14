// The tools of the MCP servers that the client lists when it opens a session. Every agent has to support MCP servers on
// stdio.
import type { AiSdkSession } from "@acp-kit/ai-sdk";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import type { ToolSet } from "ai";

interface Connected {
  readonly tools: ToolSet;
  close(): Promise<void>;
}

const sessions = new Map<string, Promise<readonly Connected[]>>();

/** Connects to the MCP servers at the first turn of a session. Each call of their tools needs the user's permission. */
export async function mcpTools({ sessionId, cwd, mcpServers }: AiSdkSession): Promise<ToolSet> {
  const connecting = sessions.get(sessionId) ?? Promise.all(mcpServers.map((server) => connect(server, cwd)));
  sessions.set(sessionId, connecting);
  return Object.assign({}, ...(await connecting).map(({ tools }) => tools));
}

export async function closeMcp(sessionId: string): Promise<void> {
  const connecting = sessions.get(sessionId);
  sessions.delete(sessionId);
  for (const { close } of (await connecting) ?? []) await close();
}

async function connect(server: AiSdkSession["mcpServers"][number], cwd: string): Promise<Connected> {
  if (!("command" in server)) return { tools: {}, close: async () => {} }; // the agent advertised no other transport
  const { command, args, env } = server as { command: string; args: string[]; env: { name: string; value: string }[] };
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const transport = new StdioTransport({ command, args, cwd, env: variables });
  try {
    const client = await within(10_000, createMCPClient({ transport }));
    const tools = Object.entries(await within(10_000, client.tools()));
    return {
      tools: Object.fromEntries(tools.map(([name, tool]) => [name, { ...tool, needsApproval: true }])) as ToolSet,
      close: () => client.close(),
    };
  } catch (error) {
    console.error(`The MCP server ${server.name} can't be used:`, error); // to stderr: stdout is the protocol's
    await transport.close();
    return { tools: {}, close: async () => {} };
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
