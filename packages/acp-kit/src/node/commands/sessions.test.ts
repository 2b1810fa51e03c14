import { afterAll, describe, expect, it } from "vitest";
import { rawAgent, sandbox, start } from "../../../test/spawned.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);

describe.concurrent("a command whose agent does not respond to a request", () => {
  const hung = [
    ["session/list", "sessions"],
    ["session/load", "sessions show s1"],
    ["session/resume", "sessions close s1"],
    ["session/close", "sessions close s1"],
    ["session/delete", "sessions delete s1"],
    ["session/close", "doctor"],
    ["session/delete", "doctor"],
  ] as const;

  it.each(hung)("%s: %s ends after --timeout", async (method, words) => {
    const all = [...words.split(" "), "--timeout", "0.5", ...rawAgent("hung", method)];
    const { code, err } = await (await start(all, home, { cwd })).ended;
    expect({ code, err }).toEqual({ code: 5, err: expect.stringMatching(/^[^\n]*timed out after 0.5 s\n$/) });
  });

  it.skipIf(process.platform === "win32").each(hung)(
    "%s: %s ends after a signal, and says so",
    async (method, words) => {
      const running = await start([...words.split(" "), "--log-level", "debug", ...rawAgent("hung", method)], home, {
        cwd,
      });
      await running.until("err", `ignores ${method}`);
      running.child.kill("SIGINT");
      const { code, err } = await running.ended;
      expect(code).toBe(130);
      expect(err.match(/cancelled \(SIGINT\)/g)).toHaveLength(1);
    },
  );
});

it("says in one sentence that the agent can't list its sessions", async () => {
  const { code, err } = await (await start(["sessions", ...rawAgent("plain", "x")], home, { cwd })).ended;
  const sentence = "The agent can't list its sessions: it does not support session/list.";
  expect({ code, err }).toEqual({ code: 1, err: `error: ${sentence}\n` });
});

it("checks its words before it searches for the agent, which it may have to install", async () => {
  const { code, err } = await (await start(["sessions", "bogus", "--agent", "no-such-agent"], home, { cwd })).ended;
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(/^error: sessions takes list, .* not "bogus".\n$/),
  });
});

it("resolves a relative --cwd on this machine, and refuses one for another machine", async () => {
  const words = ["sessions", "--json", "--log-level", "debug", "--cwd", ".", ...rawAgent("history", "x")];
  const { code, err } = await (await start(words, home, { cwd })).ended;
  expect(code).toBe(0);
  expect(err).toContain(JSON.stringify({ cwd }).slice(1, -1));
  const remote = await start(["sessions", "--cwd", ".", "--url", "http://127.0.0.1:1/acp"], home, { cwd });
  expect(await remote.ended).toMatchObject({ code: 2, err: expect.stringContaining("expected an absolute path") });
});

describe.concurrent("an agent that can't do what the user wants", () => {
  const basic = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const capabilities = JSON.parse(process.argv[1]);
    const result = method === "initialize"
      ? { protocolVersion: 1, agentCapabilities: { sessionCapabilities: capabilities } }
      : { sessions: [{ sessionId: "s1", cwd: "/" }] };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  })`;

  it.each([
    ["sessions", {}, "list its sessions: it does not support session/list"],
    [
      "sessions show s1",
      { list: {} },
      "show the history of a session, or continue it: it does not support session/load",
    ],
    ["sessions close s1", { list: {}, close: {} }, "continue a session: it does not support session/resume"],
    ["sessions close s1", { list: {}, resume: {} }, "close a session: it does not support session/close"],
    ["sessions delete s1", { list: {} }, "delete a session: it does not support session/delete"],
  ])("%s: the error is in the words of the user (%j)", async (words, capabilities, sentence) => {
    const agent = ["--", process.execPath, "-e", basic, JSON.stringify(capabilities)];
    const { code, err } = await (await start([...words.split(" "), ...agent], home, { cwd })).ended;
    expect({ code, err }).toEqual({ code: 1, err: `error: The agent can't ${sentence}.\n` });
  });
});
