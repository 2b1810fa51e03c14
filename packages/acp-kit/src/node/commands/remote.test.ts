import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "../../../test/program.js";
import { demoAgent, type Running, sandbox, start, withoutProgress } from "../../../test/spawned.js";
import type { ServeAnnouncement } from "../serve/serve-agent.js";

const { cwd, home, remove } = sandbox();
writeFileSync(join(cwd, "hello.txt"), "one\ntwo\n");

/** Starts a server, and returns it with the content of its first line. */
async function serve(words: readonly string[] = [], agent?: readonly string[], env: Record<string, string> = {}) {
  const server = await start(
    ["serve", "--http", "--json", "--log-level", "info", ...words, ...(agent ?? (await demoAgent()))],
    home,
    { cwd, env },
  );
  await server.until("out", "\n");
  return { server, ...(JSON.parse(server.out()) as ServeAnnouncement) };
}

/** Ends a server in good order. */
async function end(server: Running): Promise<number | null> {
  server.child.kill("SIGTERM");
  return (await server.ended).code;
}

let shared: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  shared = await serve();
});
afterAll(async () => {
  const code = await end(shared.server);
  remove();
  expect(code).toBe(0);
});

/** A command line with the token of the shared server. */
async function acpKit(words: readonly string[], options: { stdin?: string; env?: Record<string, string> } = {}) {
  const env = { ACP_TOKEN: shared.token ?? "", ...options.env };
  return (await start(words, home, { cwd, ...options, env })).ended;
}

/** A request by hand. */
function statusOf(address: string, headers: Record<string, string>, method = "POST"): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { method, headers: { "content-type": "application/json", ...headers } }, (got) => {
      got.resume();
      resolve(got.statusCode);
    });
    sent.once("error", reject).end('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}');
  });
}

describe("serve", () => {
  it("--json prints one object on one line, with the URLs and a generated token", () => {
    const { url, webSocketUrl, token, server } = shared;
    expect(server.out().split("\n")).toHaveLength(2);
    expect(Object.keys(JSON.parse(server.out()))).toEqual(["url", "webSocketUrl", "token"]);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/acp$/);
    expect(webSocketUrl).toBe(url.replace("http", "ws"));
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(server.err()).not.toContain(token);
  });

  it("remote.serve-refuses: without the token 401, another Host or Origin 403, another path 404", async () => {
    const { url, token } = shared;
    const authorization = `Bearer ${token}`;
    expect(await statusOf(url, {})).toBe(401);
    expect(await statusOf(url, { authorization: "Bearer no" })).toBe(401);
    expect(await statusOf(url, { authorization, host: "evil.example.com" })).toBe(403);
    expect(await statusOf(url, { authorization, origin: "https://evil.example.com" })).toBe(403);
    expect(await statusOf(url.replace("/acp", "/other"), { authorization })).toBe(404);
  });

  it("remote.process-per-connection: starts an agent for each connection, and ends the agent with its connection", async () => {
    const { server, url } = await serve(["--auth", "none", "--engine", "none"]);
    const runs = [1, 2].map(async () => (await start(["run", "Hello", "--url", url], home, { cwd })).ended);
    for (const { code } of await Promise.all(runs)) expect(code).toBe(0);
    for (const number of [1, 2]) {
      await server.until("err", `agent ${number}: started`);
      await server.until("err", `agent ${number}: exited after its connection ended`);
    }
    expect(await end(server)).toBe(0);
    expect(server.err()).not.toContain("agent 3");
  });

  it("remote.process-per-connection: starts no more agents than `maxAgents` at once without an engine", async () => {
    const config = join(home, "one-agent.json");
    writeFileSync(config, JSON.stringify({ limits: { maxAgents: 1 } }));
    const silent = ["--", process.execPath, "-e", "process.stdin.resume()"];
    const options = ["--auth", "none", "--engine", "none", "--config", config];
    const { server, url } = await serve(options, silent);
    const first = statusOf(url, {}).catch(() => undefined); // the agent never responds
    await server.until("err", "agent 1: started");
    expect(await statusOf(url, {})).toBe(429);
    expect(await end(server)).toBe(0);
    await first;
    expect(server.err()).not.toContain("agent 2");
  });

  it("ends running agents after a signal, and exits with 0", async () => {
    const { server, url } = await serve(["--auth", "none", "--engine", "none"], await demoAgent());
    const client = await start(["run", "/stream 100000", "--url", url], home, { cwd });
    await server.until("err", "agent 1: started");
    server.child.kill("SIGINT");
    expect((await server.ended).code).toBe(0);
    expect(server.err()).toContain("agent 1: exited after its connection ended");
    expect((await client.ended).code).not.toBe(null);
  });

  it("requires the given token, does not print it, and does not pass it to the agent", async () => {
    const token = "given-0123456789-abcdef";
    const leak = ["--", process.execPath, "-e", 'console.error("env", process.env.ACP_TOKEN); process.stdin.resume()'];
    const announced = await serve(["--log-level", "debug"], leak, { ACP_TOKEN: token });
    expect(announced.token).toBeNull();
    expect(await statusOf(announced.url, {})).toBe(401);
    const asked = statusOf(announced.url, { authorization: `Bearer ${token}` }).catch(() => undefined);
    await announced.server.until("err", "env undefined");
    expect(await end(announced.server)).toBe(0);
    await asked;
    expect(announced.server.out() + announced.server.err()).not.toContain(token);
  });

  it("prints readable lines without --json", async () => {
    const server = await start(["serve", ...(await demoAgent())], home, { cwd });
    await server.until("out", `${cwd}\n`);
    expect(server.out()).toMatch(
      /^HTTP {7}http:\/\/127\.0\.0\.1:\d+\/acp\nWebSocket {2}ws:\/\/\S+\ntoken {6}[\w-]{43}\n/,
    );
    expect(server.out()).toMatch(/\nengine {5}sqlite, \S+\.db\nusers {6}one, with the token\nfolder {5}\S+\n$/);
    expect(await end(server)).toBe(0);
  });

  it("reports in one sentence that it can't listen", async () => {
    const { port } = new URL(shared.url);
    const { code, err } = await acpKit(["serve", "--listen", `127.0.0.1:${port}`, ...(await demoAgent())]);
    expect(code).toBe(1);
    expect(err).toContain(`Can't listen at 127.0.0.1:${port}: `);
  });
});

describe.each(["url", "webSocketUrl"] as const)("an agent behind its %s", (profile) => {
  const at = (): string => shared[profile];

  it("remote.command-line: run sends a prompt", async () => {
    const { code, out, err } = await acpKit(["run", "/echo hello", "--url", at()]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("hello");
  });

  it("remote.command-line: chat sends prompts", async () => {
    const { code, out } = await acpKit(["chat", "--url", at()], { stdin: "/echo one\n/echo two\n" });
    expect(code, out).toBe(0);
    expect(out).toMatch(/one[\s\S]*two/);
  });

  it("remote.command-line: doctor examines the agent", async () => {
    const { code, out } = await acpKit(["doctor", "--json", "--url", `${at()}?key=not-for-your-eyes`]);
    expect(code, out).toBe(0);
    const examination = JSON.parse(out);
    expect(examination).toMatchObject({
      command: [],
      url: at(),
      agent: { name: "everything-agent" },
      session: { state: "opened" },
      exit: null,
    });
    expect(out).not.toContain("not-for-your-eyes");
  });

  it("remote.command-line: conformance agent tests the agent", async () => {
    const few = "initialize/agrees,initialize/before-anything-else,cancel/running-turn,transport/";
    const words = ["conformance", "agent", "--preset", "everything", "--only", few, "--json", `${profile}.json`];
    const { code, out, err } = await acpKit([...words, "--url", at()]);
    expect({ code, err: withoutProgress(err) }, out).toEqual({ code: 0, err: "" });
    expect(out).toContain("✓ running-turn");
    expect(out).toContain("✓ big-message");
    expect(out).not.toContain("end-of-input");
  });

  it("conformance.transports: conformance agent tests the transports of the server, with the token", async () => {
    const words = ["conformance", "agent", "--preset", "everything", "--only", "http/,streams/,websocket/"];
    const { code, out, err } = await acpKit([...words, "--json", `${profile}-transports.json`, "--url", at()]);
    expect({ code, err: withoutProgress(err) }, out).toEqual({ code: 0, err: "" });
    expect(out).toContain("✓ content-type");
    expect(out).toContain("✓ upgrade");
    expect(out).not.toContain("not-for-your-eyes");
  });

  it("remote.connect: run uses connect as the command of an agent", async () => {
    const agent = ["--", process.execPath, await commandLine(), "connect", at()];
    const { code, out, err } = await acpKit(["run", "/edit hello.txt", "--permissions", "allow", ...agent]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("hello.txt has been changed");
  });

  it("remote.connect: requests before the end of the input get their responses", async () => {
    const lines = ["not json", '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}', ""];
    const { code, out } = await acpKit(["connect", at()], { stdin: lines.join("\n") });
    expect(code).toBe(0);
    const [refused, initialized] = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(refused).toMatchObject({ id: null, error: { code: -32_700 } });
    expect(initialized).toMatchObject({ id: 1, result: { protocolVersion: 1 } });
  });
});

describe("an agent behind TLS with a certificate in NODE_EXTRA_CA_CERTS", () => {
  const fixture = (name: string): string => join(import.meta.dirname, "..", "..", "..", "test", "fixtures", name);
  let secure: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    const served = await serve(["--tls-cert", fixture("cert.pem"), "--tls-key", fixture("key.pem")]);
    const named = (url: string): string => url.replace("127.0.0.1", "localhost"); // as the certificate has it
    secure = { ...served, url: named(served.url), webSocketUrl: named(served.webSocketUrl) };
  });
  afterAll(() => end(secure.server));
  const over = (words: readonly string[]) =>
    acpKit(words, { env: { ACP_TOKEN: secure.token ?? "", NODE_EXTRA_CA_CERTS: fixture("cert.pem") } });

  it.each(["url", "webSocketUrl"] as const)(
    "remote.command-line: works with run and doctor, at its %s",
    async (name) => {
      const ran = await over(["run", "/echo hello", "--url", secure[name]]);
      expect(ran).toMatchObject({ code: 0, err: "" });
      expect(ran.out).toContain("/echo hello");
      expect(await over(["doctor", "--url", secure[name]])).toMatchObject({ code: 0 });
    },
  );

  it("conformance.transports: is tested over HTTP/2, which ALPN selects", async () => {
    const words = ["conformance", "agent", "--preset", "everything", "--only", "http/,streams/,websocket/"];
    const { code, out, err } = await over([...words, "--json", "secure.json", "--url", secure.url]);
    expect({ code, err: withoutProgress(err) }, out).toEqual({ code: 0, err: "" });
    expect(readFileSync(join(cwd, "secure.json"), "utf8")).toMatch(/"id":\s*"RT-03"[^}]*"status":\s*"passed"/);
    expect(out).toContain("✓ upgrade");
  });

  it("can't be reached without the certificate", async () => {
    const { code, out, err } = await acpKit(["run", "/echo hello", "--url", secure.url]);
    expect(code, out + err).toBe(3);
  });
});

describe("exit codes for an agent that can't be reached", () => {
  const words: [string, (url: string) => Promise<string[]>][] = [
    ["run", async (url) => ["run", "hi", "--url", url]],
    ["chat", async (url) => ["chat", "--url", url]],
    ["doctor", async (url) => ["doctor", "--url", url]],
    ["connect", async (url) => ["connect", url]],
  ];
  const stdin = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n';

  it.each(words)("%s: 6 for a wrong token, and the message contains the next step", async (_name, of) => {
    for (const url of [shared.url, shared.webSocketUrl]) {
      const { code, out, err } = await acpKit(await of(url), { stdin, env: { ACP_TOKEN: "not-the-token" } });
      expect(code, err).toBe(6);
      expect(out + err).toContain("401");
      expect(out + err).toContain("--token-file or in ACP_TOKEN");
      expect(out + err).not.toContain("not-the-token");
    }
  });

  it.each(words)("%s: 3 if no server listens", async (_name, of) => {
    const gone = await serve();
    await end(gone.server);
    const { code, out, err } = await acpKit(await of(gone.url), { stdin });
    expect(code, err).toBe(3);
    expect(out + err).toContain("ECONNREFUSED");
  });

  it("3 when the command behind the URL does not exist, without its path", async () => {
    const { server, url } = await serve(["--auth", "none"], ["--", "no-such-agent-anywhere"]);
    const { code, err } = await (await start(["run", "hi", "--url", url], home, { cwd })).ended;
    expect(code).toBe(3);
    expect(err).not.toContain("no-such-agent-anywhere");
    await server.until("err", 'Can\'t start the agent "no-such-agent-anywhere"');
    expect(await end(server)).toBe(0);
  });
});

describe("secret.remote-token", () => {
  it.each(["--token", "--token-file", "ACP_TOKEN"])("secret.remote-token: of %s is never printed", async (place) => {
    const token = shared.token ?? "";
    const file = join(home, "token");
    writeFileSync(file, `${token}\n`);
    const given = place === "--token" ? [place, token] : place === "--token-file" ? [place, file] : [];
    const env = { ACP_TOKEN: place === "ACP_TOKEN" ? token : "" };
    for (const words of [
      ["run", "Hello", "--format", "jsonl", "--log-level", "debug", "--show-secrets"],
      ["run", "Hello", "--format", "json", "--log-level", "debug"],
      ["doctor", "--log-level", "debug"],
    ]) {
      const { code, out, err } = await acpKit([...words, ...given, "--url", shared.url], { env });
      expect(code, err).toBe(0);
      expect(out + err).not.toContain(token);
    }
  });
});

describe("a remote agent", () => {
  /** The capabilities that are advertised to the agent. */
  async function offered(...words: readonly string[]): Promise<Record<string, unknown>> {
    const { code, out, err } = await acpKit(["run", "Hello", "--format", "jsonl", "--url", shared.url, ...words]);
    expect(code, err).toBe(0);
    const messages = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).message);
    return messages.find(({ method }) => method === "initialize").params.clientCapabilities;
  }

  it("remote.local-access: can't use files and terminals of this machine by default", async () => {
    const { fs, terminal } = await offered("--cwd", "/");
    expect({ fs, terminal }).toEqual({ fs: { readTextFile: false, writeTextFile: false }, terminal: false });
  });

  it("remote.local-access: can use files and terminals with --local-access", async () => {
    const { fs, terminal } = await offered("--local-access");
    expect({ fs, terminal }).toEqual({ fs: { readTextFile: true, writeTextFile: true }, terminal: true });
  });
});
