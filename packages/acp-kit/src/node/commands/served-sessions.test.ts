import { mkdirSync, writeFileSync } from "node:fs";
import { request as requestOver } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoAgent, type Running, sandbox, start } from "../../../test/spawned.js";
import type { ServeAnnouncement } from "../serve/serve-agent.js";

const { cwd, home, remove } = sandbox();
const running: Running[] = [];
afterAll(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await Promise.all(running.map(({ ended }) => ended));
  remove();
});

const token = "given-0123456789-abcdef";

/** The demo agent, which keeps its own sessions, too. */
const lastingAgent = (name: string): Promise<string[]> => demoAgent("--store", join(home, name));

/** A server; by default with the demo agent, whose own sessions end with it. */
async function serve(words: readonly string[] = [], agent?: readonly string[]) {
  const all = ["serve", "--json", "--log-level", "info", ...words, ...(agent ?? (await demoAgent()))];
  const server = await start(all, home, { cwd, env: { ACP_TOKEN: token } });
  running.push(server);
  await server.until("out", "\n");
  return { server, ...(JSON.parse(server.out()) as ServeAnnouncement) };
}

async function acpKit(words: readonly string[], stdin = "", auth = token) {
  return (await start(words, home, { cwd, stdin, env: { ACP_TOKEN: auth } })).ended;
}

async function end(server: Running, signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
  server.child.kill(signal);
  return (await server.ended).code;
}

/** The sessions that a server lists. */
async function sessions(url: string, auth = token): Promise<{ sessionId: string; title?: string }[]> {
  const { code, out, err } = await acpKit(["sessions", "--json", "--url", url], "", auth);
  expect(code, err).toBe(0);
  return out
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe("serve.sessions-last: sessions of a server that was killed", () => {
  it("can be listed, shown and continued after the server and the agent were killed", async () => {
    const agent = await lastingAgent("last");
    const first = await serve(["--engine", `sqlite:${join(home, "last.db")}`], agent);
    const { code, out } = await acpKit(["run", "/echo before", "--format", "json", "--url", first.url]);
    expect(code).toBe(0);
    const { sessionId } = JSON.parse(out) as { sessionId: string };
    await end(first.server, "SIGKILL");
    const second = await serve(["--engine", `sqlite:${join(home, "last.db")}`], agent);
    expect((await sessions(second.url)).map((session) => session.sessionId)).toEqual([sessionId]);
    const shown = await acpKit(["sessions", "show", sessionId, "--url", second.webSocketUrl]);
    expect({ code: shown.code, err: shown.err }).toEqual({ code: 0, err: "" });
    expect(shown.out).toMatch(/^› \/echo before\n[\s\S]*before/);
    const continued = await acpKit(["run", "/echo after", "--session", sessionId, "--url", second.url]);
    expect(continued.code, continued.err).toBe(0);
    expect(await end(second.server)).toBe(0);
  });

  it("of an agent that can't open them again keep their history, and refuse prompts", async () => {
    const engine = ["--engine", `sqlite:${join(home, "lost.db")}`];
    const first = await serve(engine);
    const { out } = await acpKit(["run", "/echo before", "--format", "json", "--url", first.url]);
    const { sessionId } = JSON.parse(out) as { sessionId: string };
    await end(first.server, "SIGKILL");
    const second = await serve(engine);
    const refused = await acpKit(["run", "/echo after", "--session", sessionId, "--url", second.url]);
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining("The agent no longer knows the session") });
    const shown = await acpKit(["sessions", "show", sessionId, "--url", second.url]);
    expect(shown.out).toMatch(/^› \/echo before\n/);
    expect(await end(second.server)).toBe(0);
  });

  it("are in a file of the user's state folder without --engine; a second server uses another file", async () => {
    const one = await serve();
    await acpKit(["run", "/echo one", "--url", one.url]);
    const other = await serve();
    expect(other.server.err()).toContain("another server uses");
    expect(await sessions(other.url)).toEqual([]);
    expect(await end(other.server)).toBe(0);
    expect(await end(one.server)).toBe(0);
    const again = await serve();
    expect(await sessions(again.url)).toHaveLength(1);
    expect(await end(again.server)).toBe(0);
  });
});

describe("sessions", () => {
  let url: string;
  let server: Running;
  beforeAll(async () => {
    ({ url, server } = await serve(["--engine", "memory"]));
    for (const text of ["/echo first", "/echo second"]) await acpKit(["run", text, "--url", url]);
  });
  afterAll(async () => expect(await end(server)).toBe(0));

  it("lists sessions as readable lines", async () => {
    const { code, out } = await acpKit(["sessions", "--url", url]);
    expect(code).toBe(0);
    const lines = out.trim().split("\n");
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/^[0-9a-f]{32} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}\//);
  });

  it("show --json prints updates as objects", async () => {
    const [session] = await sessions(url);
    const { out } = await acpKit(["sessions", "show", session?.sessionId ?? "", "--json", "--url", url]);
    const updates = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { sessionUpdate: string });
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toContain("user_message_chunk");
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toContain("agent_message_chunk");
  });

  it("close keeps the history, delete removes the history", async () => {
    const [session] = await sessions(url);
    const id = session?.sessionId ?? "";
    expect(await acpKit(["sessions", "close", id, "--url", url])).toEqual({ code: 0, out: "", err: "" });
    expect(await sessions(url)).toHaveLength(2);
    expect(await acpKit(["sessions", "delete", id, "--url", url])).toEqual({ code: 0, out: "", err: "" });
    expect((await sessions(url)).map(({ sessionId }) => sessionId)).not.toContain(id);
  });

  it.each([
    [["show"], 2, "The session's id is missing, as in: acp-kit sessions show <id>"],
    [["list", "some-id"], 2, "list takes no id."],
    [["purge"], 2, 'not "purge"'],
    [["show", "made-up"], 1, "There is no session made-up."],
  ])("%j is refused with one sentence", async (words, code, sentence) => {
    const ended = await acpKit(["sessions", ...words, "--url", url]);
    expect(ended.err).toContain(sentence);
    expect({ code: ended.code, out: ended.out }).toEqual({ code, out: "" });
  });
});

describe("serve.metrics: counts for Prometheus", () => {
  const read = (url: string, path: string, auth?: string): Promise<Response> =>
    fetch(new URL(path, url), { headers: auth === undefined ? {} : { authorization: `Bearer ${auth}` } });

  it("are not served without --metrics; health pages need no token", async () => {
    const { server, url } = await serve(["--engine", "memory"]);
    expect((await read(url, "/metrics", token)).status).toBe(404);
    expect([(await read(url, "/healthz")).status, (await read(url, "/readyz")).status]).toEqual([200, 200]);
    expect(await end(server)).toBe(0);
  });

  it("are served with --metrics to clients with the token", async () => {
    const { server, url } = await serve(["--engine", "memory", "--metrics"]);
    await acpKit(["run", "/echo counted", "--url", url]);
    expect((await read(url, "/metrics")).status).toBe(401);
    const page = await read(url, "/metrics", token);
    expect(page.headers.get("content-type")).toContain("text/plain");
    const text = await page.text();
    expect(text).toMatch(/^acp_gateway_events_total\{type="turn_ended"\} 1$/m);
    expect(text).toMatch(/^acp_gateway_sessions 1$/m);
    expect(text).not.toContain("counted");
    expect(await end(server)).toBe(0);
  });

  it("are served only to users with metrics: true, if there are users", async () => {
    const folder = join(home, "measured");
    mkdirSync(folder);
    const tokens = { ann: "token-of-ann-0123456789", ops: "token-of-ops-0123456789" };
    for (const [name, text] of Object.entries(tokens)) writeFileSync(join(folder, name), text);
    const file = join(folder, "serve.json");
    const users = [
      { user: "ann", tokenFile: "ann" },
      { user: "ops", tokenFile: "ops", access: "observe", metrics: true },
    ];
    writeFileSync(file, JSON.stringify({ engine: "memory", metrics: true, users }));
    const { server, url } = await serve(["--config", file]);
    expect((await read(url, "/metrics", tokens.ann)).status).toBe(404);
    expect((await read(url, "/metrics", tokens.ops)).status).toBe(200);
    expect(await end(server)).toBe(0);
  });
});

describe("serve.users: with a configuration file", () => {
  it("each user has a token and sees only own sessions, and an observer changes nothing", async () => {
    const folder = join(home, "team");
    mkdirSync(folder);
    const tokens = { ann: "token-of-ann-0123456789", ben: "token-of-ben-0123456789", eve: "token-of-eve-0123456789" };
    for (const [name, text] of Object.entries(tokens)) writeFileSync(join(folder, name), text);
    const [, command, ...args] = await demoAgent();
    const config = {
      agent: { command, args, inheritEnv: ["PATH"] },
      engine: "memory",
      users: [
        { tenant: "acme", user: "ann", tokenFile: "ann" },
        { tenant: "acme", user: "ben", tokenFile: "ben" },
        { tenant: "acme", user: "ann", tokenFile: "eve", access: "observe" },
      ],
      limits: { maxConnectionsPerPrincipal: 3 },
    };
    const file = join(folder, "team.json");
    writeFileSync(file, JSON.stringify(config));
    const server = await start(["serve", "--json", "--config", file], home, { cwd });
    running.push(server);
    await server.until("out", "\n");
    const announced = JSON.parse(server.out()) as ServeAnnouncement;
    expect(announced.token).toBeNull();
    const { url } = announced;
    expect((await acpKit(["run", "/echo hi", "--url", url], "", tokens.ann)).code).toBe(0);
    expect(await sessions(url, tokens.ann)).toHaveLength(1);
    expect(await sessions(url, tokens.ben)).toEqual([]);
    expect(await sessions(url, tokens.eve)).toHaveLength(1);
    const [session] = await sessions(url, tokens.ann);
    const id = session?.sessionId ?? "";
    expect((await acpKit(["sessions", "show", id, "--url", url], "", tokens.ben)).err).toContain("There is no session");
    expect((await acpKit(["sessions", "show", id, "--url", url], "", tokens.eve)).out).toContain("/echo hi");
    const observed = await acpKit(["run", "/echo no", "--url", url], "", tokens.eve);
    expect(observed.code).toBe(1);
    expect(observed.err).toContain("An observer can't call");
    expect((await acpKit(["run", "hi", "--url", url], "", "no-such-token")).code).toBe(6);
    expect(await end(server)).toBe(0);
    expect(server.err() + server.out()).not.toContain("token-of");
  });
});

describe("serve: the agent of the command line", () => {
  it("gets no environment variables of the configured agent, which may contain its key", async () => {
    const file = join(home, "other.json");
    const env = { ACP_KIT_KEY_OF_CONFIGURED: "key" };
    writeFileSync(file, JSON.stringify({ agent: { command: "configured-agent", env }, engine: "memory" }));
    const agent = ["--", process.execPath, "-e", "console.error(Object.keys(process.env).join())"];
    const { server, url } = await serve(["--config", file, "--log-level", "debug"], agent);
    await acpKit(["run", "hi", "--url", url]);
    await server.until("err", "HOME");
    expect(await end(server)).toBe(0);
    expect(server.err()).not.toContain("ACP_KIT_KEY_OF_CONFIGURED");
  });

  it.skipIf(process.platform === "win32")("is reported when its program does not exist", async () => {
    const { server } = await serve(["--engine", "memory"], ["--", "no-such-agent"]);
    await server.until("err", 'Can\'t start the agent "no-such-agent": there is no such program on the PATH');
    expect(await end(server)).toBe(0);
  });
});

describe("serve.drain: a server that gets a signal", () => {
  it("after SIGTERM, running turns end, new connections are refused, and the server exits with 0", async () => {
    const { server, url } = await serve(["--engine", "memory", "--log-level", "debug"]);
    const turn = start(["run", "/slow 3", "--url", url], home, { cwd, env: { ACP_TOKEN: token } });
    const client = await turn;
    await server.until("err", "turn started");
    server.child.kill("SIGTERM");
    await server.until("err", "ending the connections");
    expect((await fetch(url.replace("/acp", "/readyz"))).status).toBe(503);
    expect((await acpKit(["run", "hi", "--url", url])).code).toBe(3);
    const { code, err } = await client.ended;
    expect(code, err).toBe(0);
    expect((await server.ended).code).toBe(0);
  });

  it("a second signal ends the server immediately", async () => {
    const { server, url } = await serve(["--engine", "memory", "--log-level", "debug"]);
    const client = await start(["run", "/slow 60", "--url", url], home, { cwd, env: { ACP_TOKEN: token } });
    await server.until("err", "turn started");
    server.child.kill("SIGTERM");
    await server.until("err", "ending the connections");
    expect(await end(server)).toBe(130);
    client.child.kill("SIGKILL");
    await client.ended;
  });
});

describe("serve.reconnect: a server that is killed and started again", () => {
  /** An editor's messages through `acp-kit connect`. */
  const message = (id: number, method: string, params: object): string =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

  it.each(["url", "webSocketUrl"] as const)(
    "connect continues over its %s, and its editor notices nothing",
    async (profile) => {
      const words = ["--engine", `sqlite:${join(home, `${profile}.db`)}`];
      const agent = await lastingAgent(`${profile}-store`);
      const first = await serve(words, agent);
      const { port } = new URL(first.url);
      const editor = await start(["connect", first[profile]], home, {
        cwd,
        env: { ACP_TOKEN: token },
        keepsStdin: true,
      });
      running.push(editor);
      const write = (text: string): void => void editor.child.stdin?.write(text);
      write(message(1, "initialize", { protocolVersion: 1, clientCapabilities: {} }));
      await editor.until("out", '"id":1');
      write(message(2, "session/new", { cwd, mcpServers: [] }));
      await editor.until("out", '"id":2');
      const { sessionId } = JSON.parse(
        editor
          .out()
          .split("\n")
          .find((line) => line.includes('"id":2')) ?? "",
      ).result;
      write(message(3, "session/prompt", { sessionId, prompt: [{ type: "text", text: "/echo before" }] }));
      await editor.until("out", '"id":3');
      await end(first.server, "SIGKILL");
      const second = await serve([...words, "--listen", `127.0.0.1:${port}`], agent);
      await editor.until("err", "again");
      write(message(4, "session/prompt", { sessionId, prompt: [{ type: "text", text: "/echo after" }] }));
      await editor.until("out", '"id":4');
      expect(editor.out()).toMatch(/before[\s\S]*"id":3[\s\S]*after[\s\S]*"id":4/);
      expect(editor.out().match(/"id":2\b/g)).toHaveLength(1);
      expect(editor.err()).toContain("is lost; connecting again");
      editor.child.stdin?.end();
      expect((await editor.ended).code).toBe(0);
      expect(await end(second.server)).toBe(0);
    },
  );

  it("run reports that its turn was interrupted, with exit code 3", async () => {
    const words = ["--engine", `sqlite:${join(home, "run.db")}`];
    const first = await serve(words);
    const { port } = new URL(first.url);
    const client = await start(["run", "/slow 60", "--url", first.url], home, { cwd, env: { ACP_TOKEN: token } });
    await client.until("out", " ");
    await end(first.server, "SIGKILL");
    const second = await serve([...words, "--listen", `127.0.0.1:${port}`]);
    const { code, err } = await client.ended;
    expect(code, err).toBe(3);
    expect(await end(second.server)).toBe(0);
  });

  it("chat continues the same session", async () => {
    const words = ["--engine", `sqlite:${join(home, "chat.db")}`];
    const agent = await lastingAgent("chat-store");
    const first = await serve(words, agent);
    const { port } = new URL(first.url);
    const chat = await start(["chat", "--url", first.url], home, { cwd, env: { ACP_TOKEN: token }, keepsStdin: true });
    running.push(chat);
    chat.child.stdin?.write("/echo before\n");
    await chat.until("out", "1. text: /echo before");
    await first.server.until("err", ": created");
    await end(first.server, "SIGKILL");
    const second = await serve([...words, "--listen", `127.0.0.1:${port}`], agent);
    chat.child.stdin?.write("/echo after\n");
    await chat.until("out", "1. text: /echo after");
    chat.child.stdin?.end();
    expect((await chat.ended).code).toBe(0);
    expect(await sessions(second.url)).toHaveLength(1);
    expect(await end(second.server)).toBe(0);
  });
});

it("serve.tls: with a certificate the URL is https: and wss:", async () => {
  const { url, webSocketUrl, server } = await serve(["--engine", "memory", ...certificate()]);
  expect([url, webSocketUrl].join(" ")).toMatch(/^https:\/\/\S+ wss:\/\//);
  const status = await new Promise((resolve, reject) => {
    requestOver(url, { method: "POST", rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once("error", reject)
      .end();
  });
  expect(status).toBe(401);
  expect(await end(server)).toBe(0);
});

/** A self-signed certificate for tests, and its key. */
function certificate(): string[] {
  const fixture = (name: string): string => join(import.meta.dirname, "..", "..", "..", "test", "fixtures", name);
  return ["--tls-cert", fixture("cert.pem"), "--tls-key", fixture("key.pem")];
}
