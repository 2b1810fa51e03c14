// Runs the code of docs/guides/your-agent-on-the-web.md. The functions of the page run in this process, over a
// WebSocket that sends the cookie as a browser does.
import assert from "node:assert/strict";
import { connectAgent } from "@acp-kit/client";
import { everythingAgentCommand } from "@acp-kit/everything-agent/node";
import { isRemoteError } from "@acp-kit/http";
import { httpAgent, webSocketAgent } from "@acp-kit/http/node";
import { serveCommand } from "./command.js";
import { ask } from "./page.js";
import { serve } from "./server.js";
import { askOnce } from "./small-page.js";

await usersHaveAgentsOfTheirOwn();
await aSmallPageAsks();
await strangersAreRefused();
await aCommandIsServed();
console.log("ok");

async function usersHaveAgentsOfTheirOwn(): Promise<void> {
  const users = new Map([
    ["cookie-of-ada", { user: "ada" }],
    ["token-of-bob", { user: "bob" }],
  ]);
  await using server = await serve(users, (_request, response) => void response.end("<h1>A page</h1>"));
  assert.equal(await (await fetch(new URL("/", server.url))).text(), "<h1>A page</h1>");

  const agents = {
    ada: webSocketAgent(server.webSocketUrl, { headers: { cookie: "theme=dark; session=cookie-of-ada" } }),
    bob: httpAgent(server.url, { token: "token-of-bob" }),
  };
  for (const [name, source] of Object.entries(agents)) {
    const asked: string[] = [];
    await using agent = await connectAgent(source, {
      permissions: async ({ toolCall }) => {
        asked.push(toolCall.title ?? "");
        return name === "ada" ? "allow_once" : "reject_once";
      },
    });
    let answer = "";
    await ask(agent, "good morning", (text) => {
      answer += text;
    });
    assert.deepEqual(asked, ["Write the answer"]);
    assert.equal(
      answer,
      name === "ada" ? "Hello ada. You said: good morning" : "Hello bob. You did not allow an answer.",
    );
  }
}

async function aSmallPageAsks(): Promise<void> {
  await using server = await serve(new Map([["token-of-bob", { user: "bob" }]]), undefined);
  let answer = "";
  await askOnce(webSocketAgent(server.webSocketUrl, { token: "token-of-bob" }), "good morning", (text) => {
    answer += text;
  });
  assert.equal(answer, "Hello bob. You did not allow an answer.");
}

async function strangersAreRefused(): Promise<void> {
  await using server = await serve(new Map([["cookie-of-ada", { user: "ada" }]]), undefined);
  await assert.rejects(connectAgent(httpAgent(server.url)), isRefused(401));
  const headers = { cookie: "session=cookie-of-ada", origin: "https://evil.example.com" };
  await assert.rejects(connectAgent(webSocketAgent(server.webSocketUrl, { headers })), isRefused(403));
}

/** Returns a function that checks whether the server refused a connection with this status. */
function isRefused(status: number): (error: Error) => boolean {
  return ({ cause }) => isRemoteError(cause) && cause.status === status;
}

async function aCommandIsServed(): Promise<void> {
  const { command, args } = everythingAgentCommand(["--pace", "0"]);
  await using server = await serveCommand(command, args, "secret");
  await using agent = await connectAgent(httpAgent(server.url, { token: "secret" }));
  assert.equal(agent.info?.name, "everything-agent");
}
