// Prompts the agent through each server, and over WebSocket in Bun and Deno. A runtime that is not installed is
// skipped; `npm run runtimes` installs both.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Server } from "node:http";
import type { Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type AgentSource, connectAgent } from "@acp-kit/client";
import { type FetchLike, fetchAgent } from "@acp-kit/http";
import { httpAgent, webSocketAgent } from "@acp-kit/http/node";
import { serve as serveHono } from "@hono/node-server";
import { findRuntimes } from "../../../scripts/find-runtimes.mjs";
import { app as expressApp } from "./express.js";
import { handler } from "./handler.js";
import { app as honoApp } from "./hono.js";
import { DELETE, GET, POST } from "./next-route.js";
import { http, http2 } from "./node.js";

const token = "secret";

await through("http", http.listen(0, "127.0.0.1"));
await through("http2", http2.listen(0, "127.0.0.1"), (url) => httpAgent(url, { token }));
await through("Hono", serveHono({ fetch: honoApp.fetch, hostname: "127.0.0.1", port: 0 }) as Server);
await through("Express", expressApp.listen(0, "127.0.0.1"));
await asks("a Next route", fetchAgent("http://localhost/acp", { token, fetch: throughRoute }));
await throughRuntime("bun", ["run"], "bun.ts");
await throughRuntime("deno", ["run", "--allow-net", "--allow-env", "--allow-read", "--sloppy-imports"], "deno.ts");
await handler.close();
console.log("ok");

/** Prompts the agent once, and checks its response. */
async function asks(name: string, source: AgentSource): Promise<void> {
  await using agent = await connectAgent(source);
  const session = await agent.newSession({ cwd: "/" });
  let answer = "";
  for await (const update of session.prompt(name)) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") answer += update.content.text;
  }
  assert.equal(answer, `You said: ${name}`);
  console.log(`mounted in ${name}`);
}

async function through(
  name: string,
  server: Server | Http2Server,
  reach: (url: string) => AgentSource = (url) => fetchAgent(url, { token }),
): Promise<void> {
  const sessions: { destroy(): void }[] = [];
  // `close()` waits for sessions of HTTP/2
  server.on("session", (session: { destroy(): void }) => void sessions.push(session));
  if (!server.listening) await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
  await asks(name, reach(url));
  if (name !== "http2") assert.equal((await fetch(url, { method: "POST", body: "{}" })).status, 401);
  server.close();
  if ("closeAllConnections" in server) server.closeAllConnections();
  for (const session of sessions) session.destroy();
}

/**
 * Calls the function of the Next route that has the name of the HTTP method, as Next does: `GET`, `POST` or `DELETE`.
 */
function throughRoute(...[url, init]: Parameters<FetchLike>): Promise<Response> {
  const request = new Request(url, init);
  const functions = { GET, POST, DELETE };
  return functions[request.method as keyof typeof functions](request);
}

async function throughRuntime(runtime: "bun" | "deno", args: readonly string[], file: string): Promise<void> {
  const { program } = findRuntimes().find(({ name }) => name === runtime) ?? {};
  if (program === undefined) {
    console.log(`skipped: ${runtime} is not installed`);
    return;
  }
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const child = spawn(program, [...args, file], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  try {
    const [url] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [string];
    await asks(runtime, fetchAgent(String(url), { token }));
    await asks(`${runtime}, over WebSocket`, webSocketAgent(String(url), { token }));
  } finally {
    child.kill();
    await ended;
  }
}
