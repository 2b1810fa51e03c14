import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConformanceReport } from "@acp-kit/conformance";
import { afterAll, describe, expect, it } from "vitest";
import { demoAgent, sandbox, start } from "../../../test/spawned.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);

/** An agent that answers what it must, and does nothing about the MCP servers that it is given. */
const withoutMcp = `
  let rest = "";
  const results = { initialize: { protocolVersion: 1 }, "session/new": { sessionId: "s" }, "session/prompt": { stopReason: "end_turn" } };
  process.stdin.on("data", (chunk) => {
    rest += chunk;
    for (let end = rest.indexOf("\\n"); end !== -1; end = rest.indexOf("\\n")) {
      const { id, method } = JSON.parse(rest.slice(0, end));
      rest = rest.slice(end + 1);
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));
    }
  });
`;

/** An agent that answers with the words of its model. */
const withModel = `
  const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const say = async (prompt) => {
    const url = process.env.OPENAI_BASE_URL + "/chat/completions";
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: prompt }] });
    return (await (await fetch(url, { method: "POST", body })).json()).choices[0].message.content;
  };
  require("node:readline").createInterface({ input: process.stdin }).on("line", async (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    if (method === "session/prompt") {
      const text = await say(params.prompt[0].text);
      const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
      send({ method: "session/update", params: { sessionId: "s", update } });
      return send({ id, result: { stopReason: text === "PONG" ? "end_turn" : "refusal" } });
    }
    const results = { initialize: { protocolVersion: 1 }, "session/new": { sessionId: "s" } };
    send(method in results ? { id, result: results[method] } : { id, error: { code: -32601, message: "Method not found" } });
  });
`;

/** An agent that wants a login first. */
const withoutLogin = `
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const outcome = method === "initialize"
      ? { result: { protocolVersion: 1, authMethods: [{ id: "web", name: "Web" }] } }
      : { error: { code: -32000, message: "Authentication required" } };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
  });
`;

/** An agent that refuses version 65535, and whose turns after the first never end. */
const stallsLater = `
  const { appendFileSync, readFileSync } = require("node:fs");
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    if (method === "session/prompt") {
      appendFileSync("turns.txt", "x");
      if (readFileSync("turns.txt", "utf8").length > 1) return;
    }
    const results = { initialize: { protocolVersion: 1 }, "session/new": { sessionId: "s" }, "session/prompt": { stopReason: "end_turn" } };
    const isRefused = !(method in results) || params.protocolVersion > 1;
    const outcome = isRefused ? { error: { code: -32601, message: "No" } } : { result: results[method] };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
  });
`;

/**
 * An agent without a name that answers no prompt after its first one, or, where it is about sessions, none once a
 * second session is open.
 */
const thatHangs = (inSecond: "prompt" | "session"): string => `
  let sessions = 0;
  let prompts = 0;
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const send = (outcome) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
    if (method === "initialize") send({ result: { protocolVersion: 1 } });
    else if (method === "session/new") send({ result: { sessionId: "s" + ++sessions } });
    else if (method !== "session/prompt") send({ error: { code: -32601, message: "Method not found" } });
    else if ((${JSON.stringify(inSecond)} === "session" ? sessions : ++prompts) < 2) send({ result: { stopReason: "end_turn" } });
  });
`;

/** A few scenarios over real processes: opening, ending, cancelling. */
const few = "initialize/agrees,transport/end-of-input,cancel/running-turn";

async function conformance(...words: readonly string[]) {
  return (await start(["conformance", "agent", ...words], home, { cwd })).ended;
}

function inCwd(name: string): string {
  return readFileSync(join(cwd, name), "utf8");
}

describe.concurrent("conformance agent", () => {
  it("passes the demo agent, and writes reports as text, JSON, JUnit and HTML", async () => {
    const files = ["--json", "r.json", "--junit", "r.xml", "--html", "r.html"];
    const agent = await demoAgent("--store", join(home, "store"));
    const { code, out, err } = await conformance("--preset", "everything", "--only", few, ...files, ...agent);
    expect(code, out + err).toBe(0);
    expect(out).toContain("✓ running-turn");
    expect(out).toMatch(/everything-agent \S+: conformant/);
    const report = JSON.parse(inCwd("r.json")) as ConformanceReport;
    expect(report).toMatchObject({
      format: "acp-kit/conformance-report",
      version: 2,
      role: "agent",
      conformant: true,
      subject: { name: "everything-agent" },
      counts: { scenarios: { passed: 3, failed: 0 } },
    });
    const status = (id: string): string | undefined => report.requirements.find((rule) => rule.id === id)?.status;
    expect([status("CANCEL-06"), status("PLAN-02")]).toEqual(["passed", "not tested"]);
    expect(inCwd("r.xml")).toContain('<testcase classname="cancel/running-turn"');
    expect(inCwd("r.html")).toContain("<h2>Requirements</h2>");
  });

  it("fails an agent that connects to no MCP server, unless the failure is expected", async () => {
    const words = ["--preset", "everything", "--only", "session/mcp-server"];
    const agent = ["--", process.execPath, "-e", withoutMcp];
    const failed = await conformance(...words, "--html", "mcp.html", ...agent);
    expect(failed.code).toBe(1);
    expect(failed.out).toContain("[MCP-02] MUST: Every agent can connect to stdio MCP servers.");
    expect(failed.out).toMatch(/sent: .*\n.*received: no start of the server\n/);
    expect(inCwd("mcp.html")).toContain("session/new");

    writeFileSync(join(cwd, "expected.txt"), "MCP-02 # it has no model that could use one\n");
    const expected = await conformance(...words, "--expected-failures", "expected.txt", ...agent);
    expect(expected.code, expected.out).toBe(0);
  });

  it("fails if an expected failure passes", async () => {
    writeFileSync(join(cwd, "stale.txt"), "initialize/agrees-on-version-1\n");
    const { code, out } = await conformance(
      "--only",
      "initialize/agrees",
      "--expected-failures",
      "stale.txt",
      ...(await demoAgent()),
    );
    expect(code).toBe(1);
    expect(out).toContain("expected to fail, but passed: initialize/agrees-on-version-1");
  });

  it("refuses an expected failure that no check has, and names similar ids", async () => {
    writeFileSync(join(cwd, "misspelt.txt"), "MCP-02\nMCP-2 # a digit is missing\n");
    for (const [role, subject] of [
      ["agent", await demoAgent()],
      ["client", ["--", process.execPath, "-e", ""]],
    ] as const) {
      const words = ["conformance", role, "--expected-failures", "misspelt.txt", ...subject];
      const { code, err } = await (await start(words, home, { cwd })).ended;
      expect(code).toBe(2);
      expect(err).toMatch(
        /misspelt\.txt: no check for (?:agents|clients) has the id "MCP-0?2" .* Similar ids: .*MCP-0/,
      );
    }
  });

  it("reads prompts and ids from a file, and reports an invalid file", async () => {
    writeFileSync(join(cwd, "config.json"), JSON.stringify({ preset: "everything", only: ["prompt/two-turns"] }));
    expect((await conformance("--config", "config.json", ...(await demoAgent()))).code).toBe(0);
    writeFileSync(join(cwd, "wrong.json"), JSON.stringify({ prompts: { sing: "la la" } }));
    writeFileSync(join(cwd, "misspelt.json"), JSON.stringify({ promts: { text: "hi" } }));
    const misspelt = await conformance("--config", "misspelt.json", ...(await demoAgent()));
    expect(misspelt).toMatchObject({
      code: 2,
      err: expect.stringContaining("promts is not a key; the keys are preset,"),
    });
    const { code, err } = await conformance("--config", "wrong.json", ...(await demoAgent()));
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("sing") });
  });

  it("starts a scripted model, and passes its address to the agent", async () => {
    const { code, out, err } = await conformance(
      "--model",
      "fake",
      "--only",
      "prompt/text",
      "--",
      process.execPath,
      "-e",
      withModel,
    );
    expect(code, out + err).toBe(0);
    expect((await conformance("--model", "real", ...(await demoAgent()))).code).toBe(2);
  });

  it("conformance.recipes: a known agent gets the address of the model in its own variables", async () => {
    // An agent named like one of the registry, which finds its model in a file of its home.
    const agent = join(cwd, "opencode.mjs");
    const config = `JSON.parse(require("node:fs").readFileSync(process.env.HOME + "/.config/opencode/opencode.json", "utf8"))`;
    const url = `${config}.provider.fake.options.baseURL`;
    const source = withModel.replace("process.env.OPENAI_BASE_URL", url);
    writeFileSync(
      agent,
      `import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\n${source}`,
    );
    const words = ["--model", "fake", "--only", "prompt/text", "--", process.execPath, agent];
    const { code, out, err } = await conformance(...words);
    expect(code, out + err).toBe(0);
    expect(err).toContain(
      "--model fake: uses the variables and files of OpenCode (source: https://opencode.ai/docs/providers)",
    );
  });

  it.each<[string, object, string]>([
    ["skip", { skip: "session/mcp-server" }, '"skip" must be a list of ids.'],
    ["only", { only: [5] }, '"only" must be a list of ids.'],
    ["env", { env: { A: 1 } }, '"env" must be an object that maps names to texts.'],
    ["prompts", { prompts: "hello" }, '"prompts" must be an object that maps purposes to texts.'],
    ["the whole file", [], "must contain a JSON object."],
  ])("refuses a config file with a wrong value: %s", async (name, config, reason) => {
    const file = `odd ${name}.json`; // the tests run at the same time
    writeFileSync(join(cwd, file), JSON.stringify(config));
    const { code, err } = await conformance("--config", file, "--", process.execPath, "-e", withoutMcp);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(reason) });
  });

  it("refuses a baseline that is not a report before it runs the scenarios", async () => {
    for (const text of ["null", "{}", "hello"]) {
      writeFileSync(join(cwd, "odd baseline.json"), text);
      const { code, out, err } = await conformance(
        "--baseline",
        "odd baseline.json",
        "--",
        process.execPath,
        "-e",
        withoutMcp,
      );
      expect({ code, out, err }).toEqual({
        code: 2,
        out: "",
        err: expect.stringMatching(/^[^\n]*odd baseline\.json[^\n]* is not[^\n]*\n/),
      });
    }
  });

  it("conformance.baseline: lists newly broken and fixed rules", async () => {
    const words = ["--preset", "everything", "--only", "session/mcp-server"];
    const first = await conformance(...words, "--json", "before.json", "--", process.execPath, "-e", withoutMcp);
    expect(first.code).toBe(1);
    const { code, out } = await conformance(...words, "--baseline", "before.json", ...(await demoAgent()));
    expect(code, out).toBe(0);
    expect(out).toMatch(/since 20.*:\n[\s\S]*no longer broken: MCP-02/);
    const back = await conformance(...words, "--json", "after.json", ...(await demoAgent()));
    expect(back.code).toBe(0);
    const again = await conformance(...words, "--baseline", "after.json", "--", process.execPath, "-e", withoutMcp);
    expect(again.out).toContain("now broken: MCP-02");
  });

  it("conformance.partial-report: SIGTERM ends a run with a report of the finished scenarios, and progress is logged without a terminal", async () => {
    const words = ["--only", "initialize/,prompt/two-turns", "--skip", "initialize/t", "--json", "partial.json"];
    const agent = ["--", process.execPath, "-e", stallsLater];
    const run = await start(["conformance", "agent", ...words, ...agent], home, { cwd });
    await run.until("err", "initialize/unsupported-version failed");
    run.child.kill("SIGTERM");
    const { code, out, err } = await run.ended;
    expect(code, out + err).toBe(130);
    expect(err).toMatch(/^\d+ of \d+: initialize\/unsupported-version failed \(/m);
    const report = JSON.parse(inCwd("partial.json")) as ConformanceReport;
    expect(report.stopped).toBe(true);
    const status = (id: string): string | undefined => report.requirements.find((rule) => rule.id === id)?.status;
    expect([status("INIT-08"), status("INIT-07"), status("PROMPT-13")]).toEqual(["failed", "passed", "inconclusive"]);
  });

  it("is inconclusive, with exit code 3 and the reason, if a login is missing", async () => {
    const { code, out } = await conformance("--only", "prompt/text", "--", process.execPath, "-e", withoutLogin);
    expect(code, out).toBe(3);
    expect(out).toContain("A login is needed; name one of the agent's login methods with --auth-method.");
    expect(out).toContain("inconclusive");
  });

  it("reports a request without a response, and continues with the next scenario", async () => {
    const words = ["--only", "prompt/two-sessions,prompt/failure,transport/end-of-input", "--json", "hangs.json"];
    const limits = ["--turn-timeout", "1", "--request-timeout", "1"];
    const { code, out } = await conformance(...words, ...limits, "--", process.execPath, "-e", thatHangs("session"));
    expect(code, out).toBe(1);
    const { faults, scenarios } = JSON.parse(inCwd("hangs.json")) as ConformanceReport;
    expect(faults).toMatchObject([{ rules: ["RPC-04"], scenarios: ["prompt/two-sessions"] }]);
    expect(faults[0]?.finding.received).toMatch(/^no response within/);
    expect(scenarios.find(({ id }) => id === "transport/end-of-input")?.verdict.status).toBe("passed");
  });

  it.skipIf(process.platform === "win32")(
    // it has no signals that a process can catch
    "conformance.partial-report: ends on SIGTERM with a report of the scenarios until then, and leaves no agent behind",
    async () => {
      const mark = `partial-${process.pid}`;
      const words = ["--only", "initialize/agrees,initialize/names,prompt/two-turns", "--json", "partial.json"];
      const agent = ["--", process.execPath, "-e", thatHangs("prompt"), mark];
      const running = await start(["conformance", "agent", ...words, ...agent], home, { cwd });
      await running.until("err", "initialize/names-itself failed");
      running.child.kill("SIGTERM");
      const { code, out, err } = await running.ended;
      expect(code, out + err).toBe(130);
      const report = JSON.parse(inCwd("partial.json")) as ConformanceReport;
      const status = (id: string) => report.scenarios.find((scenario) => scenario.id === id)?.verdict;
      expect(status("initialize/agrees-on-version-1")).toEqual({ status: "passed" });
      expect(status("prompt/two-turns")).toMatchObject({ status: "inconclusive" });
      expect(report.verdict).toBe("inconclusive");
      expect(report.reasons).toContain("The run was stopped before its end.");
      expect(execFileSync("ps", ["-A", "-o", "args"], { encoding: "utf8" })).not.toContain(mark);
    },
  );

  it("reports an agent that can't be started as inconclusive", async () => {
    const { code, out, err } = await conformance("--only", few, "--", "/no/such/agent");
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err).toContain("/no/such/agent");
  });

  it("reports that no scenario has the given id", async () => {
    const { code, err } = await conformance("--only", "nothing", ...(await demoAgent()));
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("--only") });
  });
});
