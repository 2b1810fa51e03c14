import { aiSdkAgent } from "@acp-kit/ai-sdk";
import { fromAiSdkTools, sessionTools } from "@acp-kit/ai-sdk/mcp";
import { connectAgent } from "@acp-kit/client";
import { mcpTools, ToolError } from "@acp-kit/mcp";
import { serveMcp } from "@acp-kit/mcp/node";
import type { McpServer } from "@acp-kit/types";
import { streamText, tool } from "ai";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { answering, play, served, signal } from "../../test/connect.js";
import { type Entry, entryOf, overSse } from "../../test/mcp-entries.js";
import { calls, finish, says, scriptedModel } from "../../test/scripted-model.js";
import { agentWithTools, withTools } from "./mcp.examples.js";
import { takeToolName } from "./tool-name.js";

const info = { name: "agent", version: "1.0.0" };

const desk = (name: string) =>
  mcpTools(name, {
    where: { description: "Returns the folder", run: (_, { session }) => `${name} in ${session.cwd}` },
    "find-it": { description: "Finds", input: z.object({ text: z.string() }), run: ({ text }) => ({ found: text }) },
  });

/**
 * An agent whose model calls these tools in this order, and a session with these servers beside those of the client.
 */
async function opened(steps: readonly (readonly [tool: string, input: object])[], servers: readonly Entry[] = []) {
  const { model, prompts } = scriptedModel(
    ...steps.map(([name, input], index) => [...calls(`c${index}`, name, input), finish("tool-calls")]),
    [...says("Done"), finish()],
  );
  const diagnostics: { code: string; message: string }[] = [];
  const { asked, ...permissions } = answering("allow_once");
  const agent = served(agentWithTools(model), diagnostics as never);
  const client = await connectAgent(agent, { ...permissions, mcp: serveMcp(desk("page")) });
  onTestFinished(() => client.close());
  const session = await client.newSession({ cwd: "/work", mcpServers: servers as unknown as McpServer[] });
  return { model, prompts, client, session, diagnostics, asked };
}

describe("ai-sdk.session-tools: the model calls the tools of the client's MCP servers", () => {
  test("over stdio, HTTP, SSE and the connection, each with the permission of the user", async () => {
    const [http, stdio, before] = await Promise.all([
      entryOf(desk("http"), "http"),
      entryOf(desk("stdio"), "stdio"),
      entryOf(desk("before"), "http").then(overSse),
    ]);
    const { session, asked, diagnostics, prompts } = await opened(
      [
        ["http_where", {}],
        ["stdio_where", {}],
        ["before_where", {}],
        ["page_where", {}],
        ["page_find-it", { text: "x" }],
      ],
      [http, stdio, before],
    );
    const { updates, stopReason } = await play(session, "go");
    expect([stopReason, diagnostics]).toEqual(["end_turn", []]);
    const shown = updates.flatMap((update) => (update as { content?: { content: { text: string } }[] }).content ?? []);
    expect(shown.map(({ content }) => content?.text).filter(Boolean)).toEqual([
      ...["http in /work", "stdio in /work", "before in /work", "page in /work", '{"found":"x"}'],
    ]);
    expect(asked.map(({ toolCall }) => toolCall.title)).toEqual([
      ...["http: where", "stdio: where", "before: where", "page: where", "page: find-it"],
    ]);
    expect(JSON.stringify(prompts.at(-1))).toContain("page in /work");
  });

  test("a server that fails is reported, and the turn goes on", async () => {
    const broken: Entry = { name: "broken", command: process.execPath, args: ["-e", ""], env: [] };
    const failing = await opened([], [broken]);
    await play(failing.session, "go");
    expect(failing.diagnostics).toMatchObject([
      { code: "mcp_server_failed", message: "The MCP server broken can't be used" },
    ]);
  });

  test("a cancelled turn aborts the call, and a closed session ends its servers", async () => {
    const begun = signal();
    const aborted = signal();
    const ended = signal();
    const slow = mcpTools("slow", {
      wait: {
        description: "Waits",
        run: (_, { signal: call, session }) => {
          session.signal.addEventListener("abort", ended.happen);
          call.addEventListener("abort", aborted.happen);
          begun.happen();
          return new Promise(() => {});
        },
      },
    });
    const { model } = scriptedModel([...calls("c", "slow_wait", {}), finish("tool-calls")]);
    const agent = served(aiSdkAgent({ info, model, mcp: sessionTools({ needsApproval: false }) }));
    const client = await connectAgent(agent, { mcp: serveMcp(slow) });
    const session = await client.newSession({ cwd: "/work" });
    const turn = session.prompt("go");
    await begun.happened;
    turn.cancel();
    expect(await turn.result).toMatchObject({ stopReason: "cancelled" });
    await aborted.happened;
    await session.close();
    await ended.happened;
    await client.close();
  });

  test.each(["http", "stdio", "acp"] as const)(
    "a call over %s is cancelled at its server when the turn is",
    async (way) => {
      const begun = signal();
      const reasons: string[] = [];
      const slow = mcpTools("slow", {
        wait: {
          description: "Waits",
          run: (_, { signal: call }) => {
            call.addEventListener("abort", () => reasons.push(call.reason.message));
            begun.happen();
            return new Promise(() => {});
          },
        },
      });
      const { model } = scriptedModel([...calls("c", "slow_wait", {}), finish("tool-calls")]);
      const agent = served(aiSdkAgent({ info, model, mcp: sessionTools({ needsApproval: false }) }));
      const client = await connectAgent(agent, way === "acp" ? { mcp: serveMcp(slow) } : {});
      onTestFinished(() => client.close());
      const mcpServers = way === "acp" ? [] : [(await entryOf(slow, way)) as unknown as McpServer];
      const session = await client.newSession({ cwd: "/work", mcpServers });
      const turn = session.prompt("go");
      await begun.happened;
      turn.cancel();
      expect(await turn.result).toMatchObject({ stopReason: "cancelled" });
      const reason = way === "http" ? "The agent closed the request" : "The agent cancelled the call";
      await expect.poll(() => reasons).toEqual([reason]);
    },
  );

  test("names have at most 64 letters, digits, _ and -, and are unique", () => {
    const taken = new Set<string>();
    expect(takeToolName(taken, "my server", "find.it")).toBe("my_server_find_it");
    expect(takeToolName(taken, "my_server", "find it")).toBe("my_server_find_it_2");
    const long = takeToolName(taken, "s".repeat(40), "t".repeat(40));
    expect(long).toHaveLength(64);
    const next = takeToolName(taken, "s".repeat(40), `${"t".repeat(40)}u`);
    expect([next.length, next.endsWith("_2")]).toEqual([64, true]);
  });
});

describe("ai-sdk.provider-tools: an agent calls tools of the AI SDK in the application", () => {
  const aborted: unknown[] = [];
  const find = tool({
    description: "Finds",
    inputSchema: z.object({ text: z.string() }),
    execute: ({ text }, { abortSignal }) => {
      abortSignal?.addEventListener("abort", () => aborted.push(abortSignal.reason));
      if (text === "closed") throw new ToolError("It is closed.");
      return { found: text };
    },
  });

  test("with checked inputs; the calls are those of the provider", async () => {
    const { model } = scriptedModel(
      [...calls("c1", "app_find", { text: "x" }), finish("tool-calls")],
      [...calls("c2", "app_find", { text: "closed" }), finish("tool-calls")],
      [...says("Done"), finish()],
    );
    await using provider = withTools(served(aiSdkAgent({ info, model, mcp: sessionTools({ needsApproval: false }) })), {
      find,
    });
    const { fullStream } = streamText({ model: provider() as never, prompt: "go" });
    const results: unknown[] = [];
    for await (const part of fullStream)
      if (part.type.startsWith("tool-") && "output" in part !== "error" in part) results.push(part);
    expect(results).toMatchObject([
      { toolName: "app_find", providerExecuted: true, output: { content: [{ text: '{"found":"x"}' }] } },
      { toolName: "app_find", providerExecuted: true },
    ]);
    expect(JSON.stringify(results[1])).toContain("It is closed.");
  });

  test("and tools that can't be kept are refused", () => {
    const inputSchema = z.object({});
    expect(() => fromAiSdkTools("app", { find: { inputSchema } as never })).toThrow(/tools.find" has no execute/);
    const careful = tool({ inputSchema, needsApproval: true, execute: () => "" });
    expect(() => fromAiSdkTools("app", { careful })).toThrow(/needsApproval, which can't be kept/);
    expect(() => fromAiSdkTools("a b", { find })).toThrow(/"name" must be a name/);
  });
});
