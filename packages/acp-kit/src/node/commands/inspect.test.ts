import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scriptSettings, writeAgentSettings } from "../../../test/agent-settings.js";
import { demoAgent, type Ended, type Running, sandbox, start } from "../../../test/spawned.js";

const page = fileURLToPath(new URL("../../../../inspector/dist/page/page.js", import.meta.url));
const isBuilt = existsSync(page);
if (!isBuilt) console.log("Not run: acp-kit inspect, because @acp-kit/inspector is not built.");

let box: ReturnType<typeof sandbox>;
beforeAll(() => {
  box = sandbox();
});
afterAll(() => box.remove());

const run = async (...words: string[]): Promise<Ended> =>
  (await start(["inspect", ...words], box.home, { cwd: box.cwd })).ended;

/** Starts `acp-kit inspect` and returns the printed address. */
async function inspect(...words: string[]): Promise<{ readonly running: Running; readonly url: URL }> {
  const running = await start(["inspect", ...words], box.home, { cwd: box.cwd });
  await running.until("out", "\n");
  return { running, url: new URL(running.out().trim()) };
}

/** An empty recording. */
function recording(name: string): string {
  const path = join(box.cwd, name);
  const header = { acpRecording: 1, startedAt: "2026-01-01T00:00:00.000Z", recordedIn: "between", redacted: {} };
  writeFileSync(path, `${JSON.stringify(header)}\n`);
  return path;
}

/** Connects as the page does, and resolves with what the inspector sent as soon as that contains `text`. */
function wireUntil({ hostname, port, hash }: URL, text: string): Promise<string> {
  const token = Buffer.from(hash.slice(1)).toString("base64url");
  const headers = {
    ...{ connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" },
    "sec-websocket-key": Buffer.alloc(16).toString("base64"),
    "sec-websocket-protocol": `acp-inspector, acp.bearer.${token}`,
  };
  return new Promise((resolve, reject) => {
    const opening = request({ hostname, port, path: "/wire", headers }).on("error", reject);
    opening.once("upgrade", (_, socket, head) => {
      let received = "";
      const take = (data: Buffer): void => {
        received += data.toString("latin1");
        if (!received.includes(text)) return;
        socket.destroy();
        resolve(received);
      };
      take(head);
      socket.on("data", take);
    });
    opening.end();
  });
}

describe("acp-kit inspect", () => {
  it.each([
    [[], "The agent is missing"],
    [["a.jsonl", "b.jsonl", "c.jsonl"], "At most two recordings"],
    [["a.jsonl", "--", "agent"], "names a recording"],
    [["--proxy", "--url", "ws://127.0.0.1:1/acp"], "--proxy needs the command"],
    [["--port", "many", "--", "agent"], "Expected a port"],
  ])("refuses %j, with one sentence", async (words, sentence) => {
    const { code, err } = await run(...words);
    expect(code).toBe(2);
    expect(err).toContain(sentence);
  });
});

describe.skipIf(!isBuilt)("acp-kit inspect, with its page", () => {
  it("starts an agent, prints the address of the page, and ends both after a signal", async () => {
    const { running, url } = await inspect(...(await demoAgent()));
    expect(url.hostname).toBe("127.0.0.1");
    expect(url.hash.length).toBeGreaterThan(32);
    expect((await fetch(url)).status).toBe(200);
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(0);
  });

  it("connects to a remote agent, and closes the connection after a signal", async () => {
    const words = ["serve", "--http", "--json", "--auth", "none", "--engine", "none", "--log-level", "info"];
    const server = await start([...words, ...(await demoAgent())], box.home, { cwd: box.cwd });
    await server.until("out", "\n");
    const { running } = await inspect("--url", JSON.parse(server.out()).url);
    await server.until("err", "agent 1: started");
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(0);
    await server.until("err", "agent 1: exited after its connection ended");
    server.child.kill("SIGTERM");
    expect((await server.ended).code).toBe(0);
  });

  it("serves a page for one recording or two", async () => {
    for (const files of [[recording("a.jsonl")], [recording("a.jsonl"), recording("b.jsonl")]]) {
      const { running, url } = await inspect(...files);
      expect((await fetch(url)).status).toBe(200);
      running.child.kill("SIGTERM");
      expect((await running.ended).code).toBe(0);
    }
  });

  it.skipIf(process.platform === "win32")(
    "opens the page in a browser with --open, without its secret in a command line",
    async () => {
      const bin = join(box.home, "browser");
      const seen = join(bin, "seen");
      mkdirSync(bin);
      for (const name of ["open", "xdg-open"])
        writeFileSync(join(bin, name), `#!/bin/sh\ncat "$1" > ${seen}.new\nmv ${seen}.new ${seen}\n`, { mode: 0o755 });
      const PATH = [bin, "/usr/bin", "/bin"].join(delimiter);
      const running = await start(["inspect", "--open", recording("a.jsonl")], box.home, {
        cwd: box.cwd,
        env: { PATH },
      });
      await running.until("out", "\n");
      await expect.poll(() => existsSync(seen), { timeout: 30_000 }).toBe(true);
      expect(readFileSync(seen, "utf8")).toContain(`url=${running.out().trim()}"`);
      running.child.kill("SIGTERM");
      expect((await running.ended).code).toBe(0);
    },
  );

  it("has a usage for each command line that it accepts: an agent, or recordings without an agent", async () => {
    const { code, out } = await run("--help");
    expect(code).toBe(0);
    const usage = out.slice(0, out.indexOf("\n\n")).split("\n");
    expect(usage.map((line) => line.replace("Usage:", "").trim())).toEqual([
      "acp-kit inspect [options] --agent <name> [-- <agent arguments…>]",
      "acp-kit inspect [options] -- <agent command…>",
      "acp-kit inspect [options] <recording> [recording to compare]",
    ]);
  });

  it("reports a missing recording", async () => {
    const { code, err } = await run("none.jsonl");
    expect(code).toBe(2);
    expect(err).toContain("Can't read none.jsonl, because there is no such file.");
  });

  it("--proxy forwards messages, prints the address on standard error, and exits when the agent exits", async () => {
    const words = ["inspect", "--proxy", ...(await demoAgent())];
    const running = await start(words, box.home, { cwd: box.cwd, keepsStdin: true });
    await running.until("err", "acp-kit inspect: open http://127.0.0.1:");
    running.child.stdin?.write('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n');
    await running.until("out", '"id":0');
    running.child.stdin?.end();
    expect((await running.ended).code).toBe(0);
  });

  it("secret.command-line: --proxy shows no key that the agent gets from the environment or its settings, and logs", async () => {
    const [key, own] = ["0123456789abcdef01234567", "MARKERown0123456789"];
    const script =
      "process.stderr.write([process.env.EXAMPLE_API_KEY, process.env.OWN].join() + '\\n'); process.stdin.resume()";
    writeAgentSettings(box.home, { mine: scriptSettings(script, { OWN: own }) });
    const running = await start(["inspect", "--proxy", "--agent", "mine"], box.home, {
      ...{ cwd: box.cwd, keepsStdin: true, env: { EXAMPLE_API_KEY: key } },
    });
    await running.until("err", "acp-kit inspect: open http://127.0.0.1:");
    const [address = ""] = /http:\/\/127\S+/.exec(running.err()) ?? [];
    const shown = await wireUntil(new URL(address), "[redacted],[redacted]");
    for (const secret of [key, own]) expect(shown).not.toContain(secret);
    running.child.stdin?.end();
    expect((await running.ended).code).toBe(0);
  });

  it("--proxy serves the page on another port if the given one is taken, and the client keeps its agent", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const words = ["inspect", "--proxy", "--port", String(port), ...(await demoAgent())];
    const running = await start(words, box.home, { cwd: box.cwd, keepsStdin: true });
    await running.until(
      "err",
      `acp-kit inspect: port ${port} can't be used (it is taken), so the page has another port`,
    );
    await running.until("err", "acp-kit inspect: open http://127.0.0.1:");
    const [address = ""] = /http:\/\/127\S+/.exec(running.err()) ?? [];
    expect(new URL(address).port).not.toBe(String(port));
    expect((await fetch(address)).status).toBe(200);
    running.child.stdin?.write('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n');
    await running.until("out", '"id":0');
    running.child.stdin?.end();
    expect((await running.ended).code).toBe(0);
    taken.close();
  });

  it.skipIf(process.platform === "win32")("--proxy ends by the signal that ends the agent", async () => {
    const { child, ended } = await start(["inspect", "--proxy", "--", "sh", "-c", "kill -TERM $$"], box.home, {
      cwd: box.cwd,
    });
    expect((await ended).code).toBe(null);
    expect(child.signalCode).toBe("SIGTERM");
  });
});
