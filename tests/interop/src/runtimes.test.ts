import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { everythingAgent } from "@acp-kit/everything-agent";
import { tokenAuthentication } from "@acp-kit/http";
import { httpAgent, serveHttp, webSocketAgent } from "@acp-kit/http/node";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findRuntimes, type Runtime } from "../../../scripts/find-runtimes.mjs";
import { ourSources } from "./peers/our-sources.js";
import { profiles } from "./peers/remote-servers.js";
import { play, type RuntimeOutcome, type RuntimeTask } from "./peers/runtime-client.js";

const token = "secret";
/** The expected outcome in every runtime, from every server. */
const expected = {
  agent: "everything-agent",
  streamed: expect.toSatisfy((count: number) => count > 20),
  permissions: [expect.any(String)],
  stopReasons: ["end_turn", "end_turn", "end_turn", "cancelled"],
  replayed: expect.toSatisfy((count: number) => count > 20),
};
const inNode = (task: RuntimeTask): Promise<RuntimeOutcome> =>
  play(task, task.profile === "WebSocket" ? webSocketAgent : httpAgent);

const flags: Readonly<Record<string, readonly string[]>> = {
  bun: ["run"],
  deno: ["run", "--no-config", "--no-lock", "--allow-net=127.0.0.1", "--allow-env"],
};

/** The folder is within this package, so that the programs find `ws`. */
const cache = fileURLToPath(new URL("../node_modules/.cache/", import.meta.url));
let directory: string;

beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  directory = mkdtempSync(join(cache, "runtimes-"));
  const names = ["runtime-program", "runtime-worker", "bun-server", "deno-server"];
  await build({
    entryPoints: names.map((name) => fileURLToPath(new URL(`./peers/${name}.ts`, import.meta.url))),
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    external: ["node:*", "ws"],
    plugins: [ourSources],
    logLevel: "error",
  });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Serves the everything agent in this process. */
async function serve(): Promise<{ readonly task: (profile: string) => RuntimeTask }> {
  const server = await serveHttp(everythingAgent(), { authenticate: tokenAuthentication(token) });
  onTestFinished(() => server.close());
  return {
    task: (profile) => ({ profile, token, url: profile === "WebSocket" ? server.webSocketUrl : server.url }),
  };
}

/** Starts a program of the runtime. Its standard error is that of the test. */
function start({ name, program }: Runtime, script: string, ...args: string[]): ChildProcess {
  const child = spawn(program ?? "", [...(flags[name] ?? []), join(directory, `${script}.mjs`), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "close");
    child.kill();
    await ended;
  });
  return child;
}

const found = findRuntimes();
for (const { name, program } of found) {
  if (program === undefined) console.log(`Skipped: ${name} is not installed (npm run runtimes), so no test ran in it.`);
}

describe.each(found.map((runtime) => ({ ...runtime, title: `${runtime.name} ${runtime.version ?? ""}` })))(
  "in $title",
  (runtime) => {
    describe.skipIf(runtime.program === undefined)("a client and a server", () => {
      it.each(profiles)("the client controls an agent in Node over %s", async (profile) => {
        const { task } = await serve();
        const child = start(runtime, "runtime-program", JSON.stringify(task(profile)));
        expect(JSON.parse(await text(child.stdout as Readable))).toEqual(expected);
      });

      it.each(profiles)("its server, with our handler, serves a client in Node over %s", async (profile) => {
        const child = start(runtime, `${runtime.name}-server`);
        const [port] = (await once(createInterface(child.stdout as Readable), "line")) as [string];
        const url = `${profile === "WebSocket" ? "ws" : "http"}://127.0.0.1:${port}/acp`;
        expect(await inNode({ profile, url, token })).toEqual(expected);
        await expect(inNode({ profile, url, token: "wrong" })).rejects.toMatchObject({ name: "ConnectionError" });
        const connections = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/connections`)).text();
        await expect.poll(connections, { timeout: 20_000 }).toBe("0");
      });
    });
  },
);

describe("in a worker of Node", () => {
  it.each(profiles)("the client drives an agent over %s", async (profile) => {
    const { task } = await serve();
    const worker = new Worker(join(directory, "runtime-worker.mjs"), { workerData: task(profile) });
    onTestFinished(() => void worker.terminate());
    // Node may emit `exit` right after the last message, before a promise continues.
    const exited = once(worker, "exit");
    const [outcome] = (await once(worker, "message")) as [RuntimeOutcome];
    expect(outcome).toEqual(expected);
    await exited;
  });
});
