import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { commandLine } from "../../../test/program.js";
import { type Running, rawAgent, sandbox, start } from "../../../test/spawned.js";
import type { Examination } from "../doctor/examination.js";
import type { ServeAnnouncement } from "../serve/serve-agent.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);

const only2 = ["--", process.execPath, fileURLToPath(new URL("../../../test/fixtures/v2-agent.mjs", import.meta.url))];
const only1 = rawAgent("steady");

/** An agent of both versions. */
async function both(): Promise<readonly string[]> {
  return ["--", process.execPath, await commandLine(), "bridge", ...only2];
}

async function run(...words: readonly string[]) {
  return (await start(["run", ...words], home, { cwd })).ended;
}

async function doctor(...words: readonly string[]) {
  const { code, out, err } = await (await start(["doctor", "--json", ...words], home, { cwd })).ended;
  return { code, err, examination: JSON.parse(out) as Examination };
}

describe.concurrent("--protocol", () => {
  it.each(["2", "auto"])("run --protocol %s uses an agent of version 2", async (version) => {
    const { code, out, err } = await run("hello", "--protocol", version, ...only2);
    expect({ code, out }, err).toEqual({ code: 0, out: "hello\n" });
  });

  it("run reports the final text of a message that the agent has replaced", async () => {
    const demo = ["--", process.execPath, await commandLine(), "demo-agent"];
    const { code, out, err } = await run("/replace", "--protocol", "2", "--format", "json", ...demo);
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ text: "This is the final text, and this extends it." });
  });

  it("run asks about a permission of version 2 as of version 1: without a terminal, nothing is approved", async () => {
    const { code, out, err } = await run("ask", "--protocol", "2", ...only2);
    expect({ code, out }, err).toEqual({ code: 0, out: '{"outcome":"cancelled"}\n' });
  });

  it("run offers version 1 only, unless the user chooses another", async () => {
    const { code, err } = await run("hello", ...only2);
    expect(code).not.toBe(0);
    expect(err).toContain("Unsupported version");
  });

  it("run --protocol 2 refuses an agent that chooses version 1", async () => {
    const { code, err } = await run("hello", "--protocol", "2", ...only1);
    expect(code, err).toBe(3);
    expect(err).toContain("speaks version 1 of the protocol, but not version 2. Try --protocol auto.");
  });

  it("chat --protocol auto talks to an agent of version 2", async () => {
    const { code, out, err } = await (
      await start(["chat", "--protocol", "auto", ...only2], home, { cwd, stdin: "hello\n" })
    ).ended;
    expect(code, err).toBe(0);
    expect(out).toContain("hello");
  });

  it("chat shows background work of version 2, and /stop ends one tool call", async () => {
    const demo = ["--", process.execPath, await commandLine(), "demo-agent"];
    const stdin = "/background 3600\n/stop\n/stop nothing\n/stop call_1_1\n/echo ended\n/stop\n";
    const { code, out, err } = await (await start(["chat", "--protocol", "2", ...demo], home, { cwd, stdin })).ended;
    expect(code, err).toBe(0);
    expect(out).toMatch(/Work that \/stop can end\n {2}call_1_1 +Build in the background.* +in the background\n/);
    expect(err).toContain('"nothing" is no work that can be stopped alone; /stop lists it.');
    expect(out).toContain("✓ The agent stops Build in the background");
    expect(out).toContain("The build was cancelled.");
    expect(out).toContain("The agent has no work that can be stopped alone.");
  });

  it("chat lists a terminal of version 2 that the agent can cancel, and /stop ends it", async () => {
    const stdin = "build\n/stop\n/stop t1\nhello\n/stop\n";
    const { code, out, err } = await (await start(["chat", "--protocol", "2", ...only2], home, { cwd, stdin })).ended;
    expect(code, err).toBe(0);
    expect(out).toMatch(/Work that \/stop can end\n {2}t1 +make +in the background\n/);
    expect(out).toContain("✓ The agent stops make");
    expect(out).toContain("The agent has no work that can be stopped alone.");
  });

  it("versions.subagents-shown: chat shows a subagent of an agent of version 2", async () => {
    const { ended } = await start(["chat", "--protocol", "2", ...only2], home, { cwd, stdin: "delegate\n" });
    const { code, out, err } = await ended;
    expect(code, err).toBe(0);
    expect(out).toContain("\n✓ Subagent Tests  completed\n  All green\n");
  });

  it.each([
    ["1", "I begin.", rawAgent("delegating")],
    ["2", "delegate", only2],
  ])("run --protocol %s reports the text of the agent without that of its subagent", async (version, text, agent) => {
    const words = ["delegate", "--protocol", version, "--format", "json", "--permissions", "allow"];
    const { code, out, err } = await run(...words, ...agent);
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ text, toolCalls: [] });
  });

  it("doctor examines an agent of both versions once for each", async () => {
    const { code, err, examination } = await doctor(...(await both()));
    expect(code, err).toBe(0);
    expect(examination).toMatchObject({
      protocolVersion: 2,
      agent: { name: "two" },
      session: { state: "opened" },
      version1: { protocolVersion: 1, agent: { name: "two" }, session: { state: "opened" }, exit: { exitCode: 0 } },
    });
  });

  it("doctor says that an agent speaks only version 2, or only version 1", async () => {
    const [second, first] = await Promise.all([doctor(...only2), doctor(...only1)]);
    expect(second.examination).toMatchObject({ protocolVersion: 2, version1: null });
    expect(first.examination.protocolVersion).toBe(1);
    expect(first.examination).not.toHaveProperty("version1");
  });

  it("doctor prints both as text", async () => {
    const { out } = await (await start(["doctor", ...(await both())], home, { cwd })).ended;
    expect(out.match(/^protocol +version \d$/gm)?.map((line) => line.at(-1))).toEqual(["2", "1"]);
    const only = await (await start(["doctor", ...only2], home, { cwd })).ended;
    expect(only.out).toContain("The agent does not speak version 1 of the protocol.");
  });

  it.each([
    ["memory", "the configuration file"],
    ["none", "the configuration file"],
    ["none", "the option"],
  ])("serve --engine %s lets clients of both versions use an agent of one if %s says so", async (engine, where) => {
    const words = ["serve", "--json", "--auth", "none", "--engine", engine];
    const config = join(home, `${engine}.json`);
    await writeFile(config, JSON.stringify({ protocol: "auto" }));
    const auto = where === "the option" ? ["--protocol", "auto"] : ["--config", config];
    const server = await start([...words, ...auto, ...only2], home, { cwd });
    const only = await start([...words, "--config", config, "--protocol", "1", ...only2], home, { cwd });
    await Promise.all([server.until("out", "\n"), only.until("out", "\n")]);
    const urlOf = (one: Running): string => (JSON.parse(one.out()) as ServeAnnouncement).url;
    const runs = [
      run("hello", "--url", urlOf(server)),
      run("hello", "--protocol", "2", "--url", urlOf(server)),
      run("hello", "--url", urlOf(only)),
    ];
    const [first, second, refused] = await Promise.all(runs);
    expect(first, first?.err).toMatchObject({ code: 0, out: "hello\n" });
    expect(second, second?.err).toMatchObject({ code: 0, out: "hello\n" });
    expect(refused).toMatchObject({ err: expect.stringContaining("Unsupported version") });
    for (const one of [server, only]) one.child.kill("SIGTERM");
    await Promise.all([server.ended, only.ended]);
  });
});
