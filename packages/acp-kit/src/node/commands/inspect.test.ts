import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

/** Starts it, and returns the address that it prints. */
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

describe("acp-kit inspect", () => {
  it.each([
    [[], "The agent is missing"],
    [["a.jsonl", "b.jsonl", "c.jsonl"], "At most two recordings"],
    [["a.jsonl", "--", "agent"], "names a recording"],
    [["--proxy", "--url", "ws://127.0.0.1:1/acp"], "--proxy needs the command"],
    [["--port", "many", "--", "agent"], "Expected a port"],
  ])("refuses %j with a sentence", async (words, sentence) => {
    const { code, err } = await run(...words);
    expect(code).toBe(2);
    expect(err).toContain(sentence);
  });
});

describe.skipIf(!isBuilt)("acp-kit inspect, with its page", () => {
  it("starts an agent, prints the address of its page, and ends both at a signal", async () => {
    const { running, url } = await inspect(...(await demoAgent()));
    expect(url.hostname).toBe("127.0.0.1");
    expect(url.hash.length).toBeGreaterThan(32);
    expect((await fetch(url)).status).toBe(200);
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(0);
  });

  it("shows one recording, or two", async () => {
    for (const files of [[recording("a.jsonl")], [recording("a.jsonl"), recording("b.jsonl")]]) {
      const { running, url } = await inspect(...files);
      expect((await fetch(url)).status).toBe(200);
      running.child.kill("SIGTERM");
      expect((await running.ended).code).toBe(0);
    }
  });

  it("says that there is no such recording", async () => {
    const { code, err } = await run("none.jsonl");
    expect(code).toBe(2);
    expect(err).toContain("Can't read none.jsonl: there is no such file.");
  });

  it("is the agent of another client: forwards its messages, prints the address on standard error, and exits with it", async () => {
    const words = ["inspect", "--proxy", ...(await demoAgent())];
    const running = await start(words, box.home, { cwd: box.cwd, keepsStdin: true });
    await running.until("err", "acp-kit inspect: open http://127.0.0.1:");
    running.child.stdin?.write('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n');
    await running.until("out", '"id":0');
    running.child.stdin?.end();
    expect((await running.ended).code).toBe(0);
  });
});
