import { EventEmitter, once } from "node:events";
import { fileURLToPath } from "node:url";
import { connectAgent } from "@acp-kit/client";
import { webSocketAgent } from "@acp-kit/http/node";
import { type McpTool, mcpTools, serveMcp } from "@acp-kit/mcp";
import { afterAll, describe, expect, it } from "vitest";
import { type Running, sandbox, start } from "../../../test/spawned.js";
import type { ServeAnnouncement } from "../serve/serve-agent.js";

const { cwd, home, remove } = sandbox();
const running: Running[] = [];
afterAll(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await Promise.all(running.map(({ ended }) => ended));
  remove();
});

const agent = fileURLToPath(new URL("../../../test/fixtures/http-mcp-agent.mjs", import.meta.url));

/** Connects as a page does: over a WebSocket, with tools that run here. */
async function connected(engine: string, folders: string[], more: Record<string, McpTool> = {}) {
  const words = ["serve", "--json", "--engine", engine, "--", process.execPath, agent];
  const server = await start(words, home, { cwd });
  running.push(server);
  await server.until("out", "\n");
  const { webSocketUrl, token } = JSON.parse(server.out()) as ServeAnnouncement;
  const where = mcpTools("page", {
    where: {
      description: "Returns the folder of the session",
      run: (_, { session }) => {
        folders.push(session.cwd);
        return `in ${session.cwd}`;
      },
    },
    ...more,
  });
  const headers = { authorization: `Bearer ${token}` };
  return connectAgent(webSocketAgent(webSocketUrl, { headers }), { mcp: serveMcp(where) });
}

describe("mcp.remote: tools of a page reach an agent behind a server, although the agent supports HTTP only", () => {
  it.each(["memory", "none"])("with the engine %s", async (engine) => {
    const folders: string[] = [];
    const client = await connected(engine, folders);
    const session = await client.newSession({ cwd });
    expect(await session.prompt("where").text()).toBe(`in ${cwd}`);
    expect(await session.prompt("missing").text()).toBe("error -32602");
    expect(folders).toEqual([cwd]);
    await client.close();
  });

  it("also when the agent crashes and is started again: the running call is aborted, and later ones arrive", async () => {
    const folders: string[] = [];
    const begun = new EventEmitter();
    const waiting = once(begun, "wait") as Promise<[AbortSignal]>;
    const client = await connected("memory", folders, {
      wait: {
        description: "Waits until it is aborted",
        run: (_, { signal }) => {
          begun.emit("wait", signal);
          return new Promise(() => {});
        },
      },
      crash: { description: "Returns when the other tool runs", run: async () => String(await waiting) },
    });
    const session = await client.newSession({ cwd });
    await expect(session.prompt("crash").result).rejects.toMatchObject({ data: { reason: "agent_failed" } });
    const [signal] = await waiting;
    await expect.poll(() => signal.aborted).toBe(true);
    expect(await session.prompt("where").text()).toBe(`in ${cwd}`);
    expect(folders).toEqual([cwd]);
    await client.close();
  });
});
