import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectAgent } from "@acp-kit/client";
import { webSocketAgent } from "@acp-kit/http/node";
import { afterAll, expect, test } from "vitest";
import { demoAgent, sandbox, start } from "../../../test/spawned.js";
import type { ServeAnnouncement } from "../serve/serve-agent.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);
const rules = fileURLToPath(new URL("../../../test/fixtures/rules.mjs", import.meta.url));

test("run --use: the proxies of a module are in front of the agent", async () => {
  const words = ["run", "--use", rules, "--prompt", "/unicode", ...(await demoAgent())];
  const { code, out, err } = await (await start(words, home, { cwd })).ended;
  expect({ code, out, err }).toEqual({ code: 0, out: "The plan is done.\n", err: "" });
});

test("run --use: what a proxy refuses does not happen", async () => {
  writeFileSync(join(cwd, "notes.txt"), "one\n");
  const words = ["run", "--use", rules, "--permissions", "allow", "--prompt", "/edit notes.txt"];
  await (await start([...words, ...(await demoAgent())], home, { cwd, env: { RULE: "no-writing" } })).ended;
  expect(readFileSync(join(cwd, "notes.txt"), "utf8")).toBe("one\n");
});

test("chat --use", async () => {
  const words = ["chat", "--use", rules, ...(await demoAgent())];
  const { code, out } = await (await start(words, home, { cwd, stdin: "/unicode\n" })).ended;
  expect(code).toBe(0);
  expect(out).toContain("The plan is done.");
});

test.each(["none", "memory"])("serve --use with --engine %s: the proxies are beside each agent", async (engine) => {
  const words = ["serve", "--json", "--auth", "none", "--engine", engine, "--use", rules, ...(await demoAgent())];
  const server = await start(words, home, { cwd });
  await server.until("out", "\n");
  const { webSocketUrl } = JSON.parse(server.out()) as ServeAnnouncement;
  {
    await using agent = await connectAgent(webSocketAgent(webSocketUrl));
    const session = await agent.newSession({ cwd });
    expect(await session.prompt("/unicode").text()).toBe("The plan is done.");
  }
  server.child.kill("SIGTERM");
  expect((await server.ended).code).toBe(0);
});

test("proxy.context-invisible: behind a gateway, also after a restart of the agent and in replayed messages", async () => {
  const [context, agent] = ["context.mjs", "context-agent.mjs"].map((name) =>
    fileURLToPath(new URL(`../../../test/fixtures/${name}`, import.meta.url)),
  ) as [string, string];
  const words = ["serve", "--json", "--auth", "none", "--engine", "memory", "--use", context, "--"];
  const server = await start([...words, process.execPath, agent], home, { cwd });
  await server.until("out", "\n");
  const { webSocketUrl } = JSON.parse(server.out()) as ServeAnnouncement;
  const seen: unknown[] = [];
  await using first = await connectAgent(webSocketAgent(webSocketUrl), { tap: (event) => seen.push(event) });
  const session = await first.newSession({ cwd });
  expect(await session.prompt("one").text()).toBe("contexts: 1");
  expect(await session.prompt("two").text()).toBe("contexts: 0");
  await expect(session.prompt("crash").result).rejects.toMatchObject({ data: { reason: "agent_failed" } });
  expect(await session.prompt("three").text()).toBe("contexts: 0"); // of a new process, which resumed the session
  await using second = await connectAgent(webSocketAgent(webSocketUrl), { tap: (event) => seen.push(event) });
  const loaded = await second.loadSession({ sessionId: session.sessionId, cwd });
  expect(await loaded.prompt("four").text()).toBe("contexts: 0");
  const texts = JSON.stringify(seen);
  for (const text of ["one", "two", "three", "four"]) expect(texts).toContain(`"${text}"`);
  expect(texts).not.toContain("CONTEXT");
  server.child.kill("SIGTERM");
  await server.ended;
});

test.each([
  ["missing.mjs", "missing.mjs"],
  [fileURLToPath(new URL("../../../package.json", import.meta.url)), "package.json"],
])("--use %s: an error that names the module, before the agent starts", async (module, named) => {
  const words = ["run", "--use", module, "--prompt", "x", ...(await demoAgent())];
  const { code, out, err } = await (await start(words, home, { cwd })).ended;
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(`--use ${module}`);
  expect(err).toContain(named);
});
