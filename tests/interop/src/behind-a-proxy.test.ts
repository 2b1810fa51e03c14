import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent } from "@acp-kit/agent";
import { connectAgent } from "@acp-kit/client";
import { freePort } from "@acp-kit/configs/free-port";
import { root } from "@acp-kit/configs/packages";
import { tokenAuthentication } from "@acp-kit/http";
import { type HttpAgentServer, httpAgent, serveHttp, webSocketAgent } from "@acp-kit/http/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listening, replaceAll } from "./peers/proxy.js";
import { profiles } from "./peers/remote-servers.js";

// The configurations of the guide, with this machine's ports and certificates, and one second instead of the guide's
// hours.
const guide = readFileSync(join(root, "docs", "guides", "behind-a-proxy.md"), "utf8");
const fence = (language: string): string => new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide)?.[1] ?? "";

/** A proxy ends a stream that is idle for longer than this. The server's keep-alive is more frequent. */
const READ_TIMEOUT_S = 3;
/** The server checks once a second, so it sends keep-alive every one to two seconds. */
const KEEP_ALIVE_MS = 1_000;
const QUIET_MS = 5_000;

const TOKEN = "secret";

interface Places {
  readonly folder: string;
  readonly port: number;
  readonly upstream: number;
}

const programs = {
  nginx: {
    path: ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx"].find(existsSync),
    start(path: string, { folder, port, upstream }: Places): ChildProcess {
      const site = replaceAll(fence("nginx"), {
        "server 127.0.0.1:8080;": `server 127.0.0.1:${upstream};`,
        "listen 443 ssl;": `listen 127.0.0.1:${port} ssl${hasHttp2Directive(path) ? "" : " http2"};`,
        "http2 on;": hasHttp2Directive(path) ? "http2 on;" : "",
        "server_name agents.example.com;": "server_name localhost;",
        "/etc/ssl/agents.example.com.pem": join(folder, "cert.pem"),
        "/etc/ssl/agents.example.com.key": join(folder, "key.pem"),
        "proxy_read_timeout 1h;": `proxy_read_timeout ${READ_TIMEOUT_S}s;`,
        "proxy_send_timeout 1h;": `proxy_send_timeout ${READ_TIMEOUT_S}s;`,
      });
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      const top = ["daemon off;", `pid ${folder}/pid;`, "error_log stderr error;", "events {}"];
      const config = `${top.join("\n")}\nhttp {\naccess_log off;\n${temporary.join("\n")}\n${site}}\n`;
      writeFileSync(join(folder, "nginx.conf"), config);
      return spawn(path, ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")], {
        stdio: ["ignore", "ignore", "pipe"],
      });
    },
  },
  Caddy: {
    path: ["/usr/bin/caddy", "/usr/local/bin/caddy"].find(existsSync),
    start(path: string, { folder, port, upstream }: Places): ChildProcess {
      const site = replaceAll(fence("caddyfile"), {
        "agents.example.com {": `https://localhost:${port} {\n  bind 127.0.0.1\n  tls ${folder}/cert.pem ${folder}/key.pem`,
        "127.0.0.1:8080": `127.0.0.1:${upstream}`,
      });
      const file = join(folder, "Caddyfile");
      writeFileSync(file, `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`);
      const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      return spawn(path, ["run", "--adapter", "caddyfile", "--config", file], {
        env,
        stdio: ["ignore", "ignore", "pipe"],
      });
    },
  },
} as const;

for (const [name, { path }] of Object.entries(programs))
  if (path === undefined)
    console.log(`Skipped: ${name} is not installed, so the guide's configuration for it was not tested.`);

/** The directive exists since 1.25.1; older versions have a parameter of `listen`. */
function hasHttp2Directive(nginx: string): boolean {
  const text = execFileSync("sh", ["-c", `"${nginx}" -v 2>&1`], { encoding: "utf8" });
  const [major = 0, minor = 0, patch = 0] = (/(\d+)\.(\d+)\.(\d+)/.exec(text) ?? []).slice(1).map(Number);
  return major * 1e6 + minor * 1e3 + patch >= 1_025_001;
}

describe.each(Object.entries(programs))("behind %s, as the guide configures it", (_name, { path, start }) => {
  const isHere = path !== undefined;
  let folder = "";
  let server: HttpAgentServer;
  let proxy: ChildProcess;
  let port = 0;
  let received = (): void => {};

  beforeAll(async () => {
    if (path === undefined) return;
    folder = mkdtempSync(join(tmpdir(), "acp-kit-proxy-"));
    const certificate = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
    const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
    execFileSync("openssl", ["req", ...certificate, "-addext", "subjectAltName=DNS:localhost", ...files], {
      stdio: "ignore",
    });
    const agent = createAgent({
      info: { name: "proxied", version: "1.0.0" },
      newSession: () => ({ sessionId: crypto.randomUUID() }),
      prompt: async (turn) => {
        await turn.message("first");
        if (turn.text === "quiet") await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
        else if (turn.text === "permit") await turn.permit(turn.toolCall({ title: "Write" }));
        else
          await new Promise<void>((resolve) => {
            received = resolve;
          });
        await turn.message("second");
      },
    });
    server = await serveHttp(agent, {
      authenticate: tokenAuthentication(TOKEN),
      allowedHosts: ["localhost"],
      limits: { keepAliveMs: KEEP_ALIVE_MS },
    });
    port = await freePort();
    proxy = start(path, { folder, port, upstream: server.port });
    await listening(port);
  }, 60_000);
  afterAll(async () => {
    if (!isHere) return;
    const ended = once(proxy, "exit");
    proxy.kill("SIGTERM");
    await ended;
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const connect = (profile: string) => {
    const options = { token: TOKEN, tls: { ca: readFileSync(join(folder, "cert.pem")) } };
    const source =
      profile === "WebSocket"
        ? webSocketAgent(`wss://localhost:${port}/acp`, options)
        : httpAgent(`https://localhost:${port}/acp`, options);
    return connectAgent(source, { permissions: async () => "allow_once" });
  };

  describe.skipIf(!isHere).each(profiles)("over %s", (profile) => {
    it("delivers updates while the turn runs, and responses to the agent's requests", async () => {
      await using client = await connect(profile);
      const session = await client.newSession({ cwd: "/" });
      const turn = session.prompt("go");
      const texts: string[] = [];
      for await (const update of turn) {
        texts.push((update as { content: { text: string } }).content.text);
        // The agent continues when the first update has arrived: behind a proxy that buffers, the turn would never end.
        received();
      }
      expect(texts).toEqual(["first", "second"]);
      expect((await session.prompt("permit").result).stopReason).toBe("end_turn");
    });

    it("does not cut a turn that sends nothing for longer than the proxy's timeout", async () => {
      await using client = await connect(profile);
      const session = await client.newSession({ cwd: "/" });
      const turn = session.prompt("quiet");
      const texts: string[] = [];
      for await (const update of turn) texts.push((update as { content: { text: string } }).content.text);
      expect(texts).toEqual(["first", "second"]);
    });

    it("forwards a message of 5 MB", async () => {
      await using client = await connect(profile);
      const session = await client.newSession({ cwd: "/" });
      const turn = session.prompt([
        { type: "text", text: "permit" },
        { type: "text", text: "x".repeat(5_000_000) },
      ]);
      received();
      for await (const _ of turn) received();
      expect((await turn.result).stopReason).toBe("end_turn");
    });
  });

  it.skipIf(!isHere)("checks the host name that the client used, and ignores X-Forwarded-Host", async () => {
    const status = (headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const all = { "content-type": "application/json", authorization: `Bearer ${TOKEN}`, ...headers };
        const options = {
          port,
          host: "localhost",
          servername: "localhost",
          ca: readFileSync(join(folder, "cert.pem")),
          path: "/acp",
        };
        const sent = request({ ...options, method: "POST", headers: all, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on("error", reject);
        sent.end('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}');
      });
    expect(await status({ host: `localhost:${port}` })).toBe(200);
    expect(await status({ host: `localhost:${port}`, origin: `https://localhost:${port}` })).toBe(200);
    expect(await status({ host: `localhost:${port}`, origin: "https://evil.example" })).toBe(403);
    expect(await status({ host: `localhost:${port}`, authorization: "Bearer wrong" })).toBe(401);
    const before = server.connections;
    const foreign = await status({ host: "evil.example", "x-forwarded-host": "localhost" });
    expect([403, 200]).toContain(foreign); // Caddy itself responds to other host names, with an empty response.
    expect(server.connections).toBe(before);
  });
});
