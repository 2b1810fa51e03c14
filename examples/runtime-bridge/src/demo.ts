// Serves a runtime in three ways: over stdio, over streamable HTTP, and over plain HTTP requests without streams.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type AgentConnection, connectAgent } from "@acp-kit/client";
import { httpAgent } from "@acp-kit/http/node";
import { spawnAgent } from "@acp-kit/stdio/node";
import { Runtime } from "./runtime.js";
import { serve } from "./server.js";

const permissions = async () => "allow_once" as const;

await overStdio();
await overHttp();
console.log("ok");

async function overStdio(): Promise<void> {
  const agent = fileURLToPath(new URL("agent.ts", import.meta.url));
  const source = spawnAgent({ command: process.execPath, args: ["--import", "tsx", agent] });
  await using connection = await connectAgent(source, { permissions });
  assert.equal(await answer(connection, "v1"), "Prompt 1 of /srv.\n\nDeployed v1.");
}

async function overHttp(): Promise<void> {
  const runtime = new Runtime();
  await using server = await serve(runtime, "secret");
  await using connection = await connectAgent(httpAgent(server.url, { token: "secret" }), { permissions });
  assert.equal(await answer(connection, "v2"), "Prompt 1 of /srv.\n\nDeployed v2.");

  // The plain requests use another connection to the agent than the client above. They find its session in the
  // runtime's store.
  const [id = ""] = runtime.store.keys();
  const call = async (method: string, params: object) => {
    const response = await fetch(new URL("/rpc", server.url), {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": "secret" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return ((await response.json()) as { result: unknown }).result;
  };
  const listed = (await call("session/list", { cwd: "/srv" })) as { sessions: readonly { sessionId: string }[] };
  assert.deepEqual(
    listed.sessions.map(({ sessionId }) => sessionId),
    [id],
  );
  await call("session/resume", { sessionId: id, cwd: "/srv", mcpServers: [] });
  const prompt = [{ type: "text", text: "v3" }];
  assert.deepEqual(await call("session/prompt", { sessionId: id, prompt }), { stopReason: "end_turn" });
  assert.deepEqual(runtime.store.get(id)?.prompts, ["v2", "v3"]);
}

async function answer(connection: AgentConnection, text: string): Promise<string> {
  const session = await connection.newSession({ cwd: "/srv" });
  return session.prompt(text).text();
}
