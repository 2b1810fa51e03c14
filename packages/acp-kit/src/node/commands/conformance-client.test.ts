import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConformanceReport } from "@acp-kit/conformance";
import { afterAll, describe, it } from "vitest";
import { commandLine } from "../../../test/program.js";
import { type Ended, sandbox, start } from "../../../test/spawned.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);

async function conformance(words: readonly string[]): Promise<Ended> {
  return (await start(["conformance", "client", ...words], home, { cwd })).ended;
}

/** `acp-kit run` as the client under test. */
async function client(...words: readonly string[]): Promise<string[]> {
  return ["--", process.execPath, await commandLine(), "run", ...words];
}

/** A client whose messages lack the member `jsonrpc`. */
const wrongClient = `
import { spawn } from "node:child_process";
const [command, ...args] = process.argv.slice(2);
const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const send = (message) => agent.stdin.write(JSON.stringify(message) + "\\n");
let rest = "";
agent.stdout.setEncoding("utf8").on("data", (text) => {
  rest += text;
  const lines = rest.split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const { id, result, method } = JSON.parse(line);
    if (method !== undefined && id !== undefined) send({ id, error: { code: -32601, message: "No" } });
    else if (id === 1) send({ id: 2, method: "session/new", params: { cwd: process.cwd(), mcpServers: [] } });
    else if (id === 2) send({ id: 3, method: "session/prompt", params: { sessionId: result.sessionId, prompt: [{ type: "text", text: "hello" }] } });
    else if (id === 3) process.exit(0);
  }
});
send({ id: 1, method: "initialize", params: { protocolVersion: 1 } });
`;

describe.concurrent("acp-kit conformance client", () => {
  it("tests acp-kit run, and writes a report", async ({ expect }) => {
    const only = ["--only", "opening/stdio,permissions/answered,files/read-lines,lifecycle", "--step", "30"];
    const file = join(cwd, "report.json");
    const asked = await client("--prompt", "{prompt}", "--permissions", "allow", "--cwd", "{cwd}", "--");
    const { code, out, err } = await conformance([...only, "--json", file, ...asked]);
    expect(code, out + err).toBe(0);
    const report = JSON.parse(readFileSync(file, "utf8")) as ConformanceReport;
    expect(report).toMatchObject({ role: "client", conformant: true, subject: { name: "acp-kit" } });
    expect(
      report.scenarios.filter(({ kind }) => kind === "scenario").map(({ id, verdict }) => [id, verdict.status]),
    ).toEqual([
      ["opening/stdio", "passed"],
      ["permissions/answered", "passed"],
      ["files/read-lines", "passed"],
    ]);
  });

  it("conformance.repro-client: writes a script for each fault", async ({ expect }) => {
    const wrong = join(cwd, "wrong-client.mjs");
    writeFileSync(wrong, wrongClient);
    const repro = join(cwd, "repro");
    const words = ["--only", "opening/stdio,watch/", "--jobs", "2", "--repro", repro, "--", process.execPath, wrong];
    const { code, out, err } = await conformance(words);
    expect(code, out + err).toBe(1);
    const scripts = readdirSync(repro);
    expect(scripts).toContain("fault-1.mjs");
    expect(readFileSync(join(repro, "fault-1.mjs"), "utf8")).toContain("client →");
  });

  it("conformance.own-client-home: gives the client a home and a temporary folder of its own, or the user's", async ({
    expect,
  }) => {
    const places = join(cwd, "places.txt");
    const program = join(cwd, "place-client.mjs");
    const text = 'appendFileSync(process.argv[2], homedir() + " " + tmpdir() + "\\n");';
    writeFileSync(
      program,
      `import { appendFileSync } from "node:fs";\nimport { homedir, tmpdir } from "node:os";\n${text}`,
    );
    const words = ["--only", "opening/stdio,updates/", "--step", "1", "--", process.execPath, program, places];
    await conformance(["--jobs", "2", ...words]);
    const own = new Set(readFileSync(places, "utf8").trim().split("\n"));
    expect([...own].some((place) => place.startsWith(`${home} `))).toBe(false);
    rmSync(places);
    await conformance(["--shared-home", ...words]);
    const shared = new Set(readFileSync(places, "utf8").trim().split("\n"));
    expect([...shared].every((place) => place.startsWith(`${home} `))).toBe(true);
  });

  it("exits with 3 and the next step if the client never sends a prompt", async ({ expect }) => {
    const { code, out, err } = await conformance(["--only", "opening/stdio", ...(await client("--help"))]);
    expect(code).toBe(3);
    expect(out).toContain("The client opens no session by itself");
    expect(err).toContain("Pass --stdin, or {prompt}");
  });

  it("requires a client and at least one scenario", async ({ expect }) => {
    expect(await conformance([])).toMatchObject({ code: 2, err: expect.stringContaining("The client is missing") });
    const none = await conformance(["--only", "no-such", ...(await client("--help"))]);
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining("No scenario is left to run") });
  });
});
