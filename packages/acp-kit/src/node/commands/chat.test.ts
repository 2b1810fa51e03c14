import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { demoAgent, type Ended, rawAgent, type StartOptions, sandbox, start } from "../../../test/spawned.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);
beforeEach(() => writeFileSync(join(cwd, "notes.txt"), "one\n"));

/** A conversation over pipes: these lines, then the end of input. */
async function chat(
  lines: readonly string[],
  { words = [], agent, ...options }: StartOptions & { words?: readonly string[]; agent?: readonly string[] } = {},
): Promise<Ended> {
  const stdin = lines.map((line) => `${line}\n`).join("");
  const all = ["chat", ...words, ...(agent ?? (await demoAgent()))];
  return (await start(all, home, { cwd, stdin, ...options })).ended;
}

describe("acp-kit chat over pipes", () => {
  it("sends each line as a prompt after the previous turn, and quits at the end of input", async () => {
    const { code, out, err } = await chat(["Hello", "/plan"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/Everything Agent .* in .*\n\n› Hello\n\nI received 1 content block:/);
    expect(out).toMatch(/› \/plan\n\nPlan 4 of 4\n(?:✔ .*\n){4}\nThe plan is done\.\n$/);
    expect(out).not.toContain("\u001b");
  });

  it("shows tool calls and diffs, and reads the next line as the reply to a question", async () => {
    const { code, out } = await chat(["/edit notes.txt", "y"]);
    expect(code).toBe(0);
    expect(out).toContain(
      "? Edit notes.txt\n  notes.txt\n  1   one\n  2 + One more line, by the everything agent.\n  [y] Allow   [a] Always allow   [n] Reject   [d] Always reject\n\n" +
        "✓ Edit notes.txt\n  1   one\n  2 + One more line, by the everything agent.\n",
    );
    expect(readFileSync(join(cwd, "notes.txt"), "utf8")).toContain("One more line");
  });

  it("versions.subagents-shown: a subagent and its question", async () => {
    const { code, out } = await chat(["go", "y"], { agent: rawAgent("delegating") });
    expect(code).toBe(0);
    expect(out).toContain("Subagent Tests asks:\n? npm test\n  [y] Yes   [n] No\n");
    expect(out).toContain("\n✓ Subagent Tests  completed\n  Chosen: yes\n");
  });

  it("rejects a permission request at the end of input", async () => {
    const { out } = await chat(["/edit notes.txt"]);
    expect(out).toContain("✗ Edit notes.txt  rejected\n");
    expect(readFileSync(join(cwd, "notes.txt"), "utf8")).toBe("one\n");
  });

  it("continues the session of an agent that has ended, as its message says", async () => {
    const dies = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
      const say = (text) => send({ method: "session/update", params: {
        sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
      if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } });
      else if (method === "session/new") send({ id, result: { sessionId: "s1" } });
      else if (method === "session/load") { say("the history"); send({ id, result: {} }); }
      else if (params.prompt[0].text === "die") process.exit(3);
      else { say("still here"); send({ id, result: { stopReason: "end_turn" } }); }
    })`;
    const { code, out, err } = await chat(["die", "lost", "/load s1", "go on", "/load s1"], {
      agent: ["--", process.execPath, "-e", dies],
    });
    expect(code).toBe(3);
    expect(err.match(/\/load s1 continues this session/g)).toHaveLength(2);
    expect(err.match(/This session is already open/g)).toHaveLength(1);
    expect(out).toMatch(/› \/load s1\nSession s1: loaded\n\n› go on\n\nstill here\n/);
  });

  it("has a command for the permission policy, and lists decisions", async () => {
    const { out } = await chat(["/edit notes.txt", "/permissions", "/permissions reject", "/edit notes.txt"], {
      words: ["--permissions", "allow"],
    });
    expect(out).toContain("allow: everything is allowed\n\nDecided\n  allow once  Edit notes.txt  by policy");
    expect(out).toContain("reject: everything is rejected");
    expect(out).toContain("✗ Edit notes.txt  rejected\n");
  });

  it("runs commands in this folder and shows their output", async () => {
    const { out } = await chat(["/run echo hello"]);
    expect(out).toContain("✓ echo hello\n  $ echo hello\n  │ hello\n");
  });

  it("attaches files of the folder by @path, and no others", async () => {
    const { out, err } = await chat(["see @notes.txt", `see @${home}`]);
    expect(out).toContain("📎 notes.txt (4 characters)");
    expect(out).toMatch(/2\. resource file:.*notes\.txt: 4 characters/);
    expect(err).toContain("is not attached, because it is outside of");
  });

  it("fills in forms, line by line", async () => {
    const answers = ["Bob", "", "", "", "", "L", "1", "200", "43", "", "yes", "1,3", "", "y"];
    const { out } = await chat(["/form", ...answers]);
    expect(out).toContain("Expected at most 150.");
    expect(out).toMatch(/"name": "Bob",\s+"size": "L",\s+"colour": "#f00",\s+"age": 43,\s+"subscribe": true/);
    expect(out).toMatch(/"toppings": \[\s+"cheese",\s+"olives"\s+\]/);
  });

  it("removes escape sequences that control the terminal", async () => {
    const { out } = await chat(["/unicode"], { env: { FORCE_COLOR: "1" } });
    expect(out).toContain("controls:   red, byte order mark: , CRLF:\nend");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is allowed
    expect(out.replace(/\u001b\[\d+m/g, "")).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it("has no colours when piped unless they are forced", async () => {
    expect((await chat(["**bold**"])).out).not.toContain("\u001b");
    expect((await chat(["**bold**"], { env: { FORCE_COLOR: "1" } })).out).toContain("\u001b[1m");
    expect((await chat(["hi"], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).out).not.toContain("\u001b");
  });
});

describe("the chat's own commands", () => {
  it("/help lists the commands of the chat and of the agent", async () => {
    const { out } = await chat(["/help"]);
    const own = "help quit cancel mode modes model config session sessions load new login logout permissions trace";
    for (const name of own.split(" ")) expect(out).toMatch(new RegExp(`^ {2}/${name} `, "m"));
    expect(out).toMatch(/^ {2}\/stream +Stream two messages/m);
    expect(out).toMatch(/^ {2}\/\/help /m);
  });

  it("// sends a command with the name of a chat command to the agent", async () => {
    expect((await chat(["//help"])).out).toMatch(/› \/help\n[\s\S]*\/max-turn-requests/);
  });

  it("an unknown command is an error, and is not sent as a prompt", async () => {
    const { err, out } = await chat(["/plan", "/nope"]);
    expect(err).toContain("There is no command /nope.");
    expect(out).not.toContain("/nope");
  });

  it("/mode, /modes, /model and /config show and set", async () => {
    const { out, err } = await chat(["/modes", "/mode plan", "/model owl", "/config", "/config loud on", "/mode no"]);
    expect(out).toMatch(/● ask +Ask/);
    expect(out).toContain("✓ Mode: Plan\n");
    expect(out).toMatch(/✓ Loud: Loud on\n/);
    expect(out + err).toMatch(/model has no value "owl"|✓ Model/);
    expect(err).toContain('mode has no value "no"');
  });

  it("/new, /sessions and /load switch between sessions, with their history", async () => {
    const { out, code } = await chat(["first words", "/new", "other words", "/sessions", "/load 2", "/session"]);
    expect(code).toBe(0);
    expect(out).toMatch(/1 +other words[\s\S]*2 +first words/);
    expect(out).toMatch(/› \/load 2\nSession .*: loaded\n\n› first words\n\nI received/);
  });

  it("/trace shows the messages, and saves a recording for acp-kit trace", async () => {
    const { out } = await chat(["hi", "/trace 5", "/trace save wire.jsonl"], { words: ["--log-level", "error"] });
    expect(out).toContain("session/prompt");
    expect(JSON.parse(readFileSync(join(cwd, "wire.jsonl"), "utf8").split("\n")[0] ?? "")).toHaveProperty(
      "acpRecording",
    );
  });

  it("/login and /logout work, and a login that the agent requires", async () => {
    const agent = await demoAgent("--auth");
    const { out, code } = await chat(["1", "hi", "/logout", "/login pretend", "again"], { agent });
    expect(code).toBe(0);
    expect(out).toContain("? The agent requires a login");
    expect(out).toMatch(/✓ Logged out\.[\s\S]*✓ Logged in\.[\s\S]*› again/);
    expect((await chat([], { agent })).code).toBe(6);
  });

  it("/quit ends the chat", async () => {
    expect(await chat(["/quit", "not sent"])).toMatchObject({ code: 0, out: expect.not.stringContaining("not sent") });
  });
});

describe("when something goes wrong", () => {
  it("errors of a turn are printed, and the conversation continues", async () => {
    const { code, out, err } = await chat(["/error -32007", "hello"]);
    expect(err).toContain("error: You asked for this error");
    expect(out).toContain("1. text: hello");
    expect(code).toBe(1);
  });

  it("a refused turn sets exit code 4, and the conversation continues", async () => {
    const { code, out } = await chat(["/refuse", "hello"]);
    expect(out).toMatch(/■ The agent refuses to continue[\s\S]*1\. text: hello/);
    expect(code).toBe(4);
  });

  it("the exit code is 3 for an agent that can't be started, and 2 without an agent", async () => {
    expect(await chat([], { agent: ["--", "no-such-agent-here"] })).toMatchObject({ code: 3 });
    expect(await chat([], { agent: [] })).toMatchObject({ code: 2 });
  });

  it("a turn that takes longer than ACP_TIMEOUT is cancelled", async () => {
    const { code, err, out } = await chat(["/slow 60"], { env: { ACP_TIMEOUT: "0.5" } });
    expect({ code, err }).toMatchObject({ code: 5, err: expect.stringContaining("longer than 0.5 s") });
    expect(out).toContain("■ Cancelled");
  });

  it("reads ACP_CWD and ACP_LOG_LEVEL", async () => {
    const { out, err } = await chat(["hi"], { cwd: home, env: { ACP_CWD: cwd, ACP_LOG_LEVEL: "debug" } });
    expect(out).toContain(` in ${cwd}\n`);
    expect(err).toContain('"method":"session/prompt"');
  });

  it.skipIf(process.platform === "win32")("Ctrl-C cancels the turn, a second Ctrl-C quits", async () => {
    const running = await start(["chat", ...(await demoAgent())], home, { cwd, stdin: "/slow 60\n/slow 60\n" });
    await running.until("out", "Cancel me");
    running.child.kill("SIGINT");
    await running.until("out", "■ Cancelled");
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
  });
});

it("stores no prompt that contains a secret", async () => {
  await chat(["to be kept", "token=abcdefg"]);
  const history = readFileSync(join(home, ".local", "state", "acp-kit", "chat", "history.jsonl"), "utf8");
  expect(history).toContain("to be kept");
  expect(history).not.toContain("abcdefg");
});

it("reports that an agent has exited, and starts it again with the next command", async () => {
  const { code, out, err } = await chat(["hi", "/new", "hi again"], { agent: rawAgent("mortal") });
  expect(out.match(/I begin\./g)).toHaveLength(2);
  expect(err.match(/error: .*7/g)).toHaveLength(2);
  expect(code).toBe(3);
});

it("reports once that an agent has ended, with the next step; no prompt is sent to it", async () => {
  const { out, err } = await chat(["hi", "again", "/new", "more"], { agent: rawAgent("mortal") });
  expect(err).toContain(
    "The agent has ended, and this session with it. /new starts the agent again with a new session.",
  );
  expect(err).toMatch(/error: The agent has ended[\s\S]*error: .*7/);
  expect(out.match(/I begin\./g)).toHaveLength(2);
});

it("reports a missing file", async () => {
  const { err } = await chat(["see @no-such-file.ts please"]);
  expect(err).toContain(
    `@no-such-file.ts is sent as text, because there is no such file in ${cwd}. Tab after @ lists files.`,
  );
});

it("--continue continues the last session of this agent in this folder", async () => {
  const agent = await demoAgent();
  const folder = join(home, "other");
  mkdirSync(folder, { recursive: true });
  const options = { agent, cwd: folder };
  expect(await chat([], { ...options, words: ["--continue"] })).toMatchObject({
    code: 2,
    err: expect.stringContaining("no session of this agent"),
  });
  const first = await chat(["remember this", "/session"], options);
  const [, id = "none"] = /session +(\S+)/.exec(first.out) ?? [];
  const { out, err } = await chat(["/session"], { ...options, words: ["--continue"] });
  expect(out + err).toContain(id);
  expect(await chat([], { ...options, words: ["--continue", "--session", "x"] })).toMatchObject({ code: 2 });
});
