import { fromMcpServer, type McpSource, mcpTools, ToolError } from "@acp-kit/mcp";
import { McpServer as McpServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

/** The servers whose call of `wait` has begun, and those whose call was aborted. */
export const calls: { readonly begun: string[]; readonly aborted: string[] } = { begun: [], aborted: [] };

/** The promise for which `steps` waits after its progress. Clients lose a progress that arrives with the result. */
export const progress: { seen: Promise<unknown> } = { seen: Promise.resolve() };

const wait = (name: string, signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    calls.begun.push(name);
    signal.addEventListener("abort", () => {
      calls.aborted.push(name);
      reject(signal.reason);
    });
  });

const sum = { a: z.number(), b: z.number() };
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });

/** The same server, written in three ways. */
export const sources: readonly McpSource[] = [
  mcpTools("ours", {
    add: { description: "Adds numbers", input: z.object(sum), run: ({ a, b }) => String(a + b) },
    where: { description: "Returns the folder of the session", run: (_, { session }) => session.cwd },
    refuse: {
      description: "Refuses",
      run: () => {
        throw new ToolError("Not today.");
      },
    },
    wait: { description: "Waits", run: (_, { signal }) => wait("ours", signal) },
    steps: {
      description: "Reports progress",
      run: async (_, context) => {
        context.progress(1, 2, "half");
        await progress.seen;
        return "done";
      },
    },
  }),
  fromMcpServer("sdk-1", ({ cwd }) => {
    const server = new McpServer1({ name: "sdk-1", version: "1.0.0" });
    server.registerTool("add", { description: "Adds numbers", inputSchema: sum }, ({ a, b }) => text(String(a + b)));
    server.registerTool("where", { description: "Returns the folder of the session" }, () => text(cwd));
    server.registerTool("refuse", { description: "Refuses" }, () => ({ ...text("Not today."), isError: true }));
    server.registerTool("wait", { description: "Waits" }, ({ signal }) => wait("sdk-1", signal));
    server.registerTool("steps", { description: "Reports progress" }, async ({ _meta, sendNotification }) => {
      const progressToken = _meta?.progressToken;
      const params = { progress: 1, total: 2, message: "half" };
      if (progressToken !== undefined)
        await sendNotification({ method: "notifications/progress", params: { progressToken, ...params } });
      await progress.seen;
      return text("done");
    });
    server.registerResource("readme", "docs://readme", { mimeType: "text/plain" }, () => ({
      contents: [{ uri: "docs://readme", text: `The readme of ${cwd}` }],
    }));
    server.registerPrompt("review", { description: "Reviews" }, () => ({
      messages: [{ role: "user", content: { type: "text", text: "Review it." } }],
    }));
    return server;
  }),
  fromMcpServer("sdk-2", ({ cwd }) => {
    const server = new McpServer({ name: "sdk-2", version: "1.0.0" });
    const inputSchema = z.object(sum);
    server.registerTool("add", { description: "Adds numbers", inputSchema }, ({ a, b }) => text(String(a + b)));
    server.registerTool("where", { description: "Returns the folder of the session" }, () => text(cwd));
    server.registerTool("refuse", { description: "Refuses" }, () => ({ ...text("Not today."), isError: true }));
    server.registerTool("wait", { description: "Waits" }, (context) => wait("sdk-2", context.mcpReq.signal));
    server.registerTool("steps", { description: "Reports progress" }, async ({ mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      const params = { progress: 1, total: 2, message: "half" };
      if (progressToken !== undefined)
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...params } });
      await progress.seen;
      return text("done");
    });
    server.registerResource("readme", "docs://readme", { mimeType: "text/plain" }, () => ({
      contents: [{ uri: "docs://readme", text: `The readme of ${cwd}` }],
    }));
    return server;
  }),
];
