// Download and load sizes. Deterministic: the packaging tests check the same figures.
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { installed } from "./installed.js";
import { boundGoal, type Measure } from "./measure.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Returns the size of a program bundled for Node, minified and gzipped, in kB. */
async function bundled(source: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: join(root, "bench/src"), loader: "js" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).byteLength / 1000;
}

const programs = {
  agent: {
    ours: `import { createAgent } from "@acp-kit/agent"; import { serveStdio } from "@acp-kit/stdio/node";
await serveStdio(createAgent({ info: { name: "a", version: "1" }, newSession: () => ({ sessionId: "s" }), prompt: async (turn) => { await turn.message(turn.text); } }));`,
    sdk: `import { Readable, Writable } from "node:stream"; import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
agent({ name: "a" }).onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION })).onRequest(methods.agent.session.new, () => ({ sessionId: "s" }))
.onRequest(methods.agent.session.prompt, () => ({ stopReason: "end_turn" })).connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));`,
  },
  client: {
    ours: `import { connectAgent } from "@acp-kit/client"; import { spawnAgent } from "@acp-kit/stdio/node";
const agent = await connectAgent(spawnAgent({ command: "a" })); const session = await agent.newSession({ cwd: "/" }); for await (const update of session.prompt("hi")) console.log(update); await agent.close();`,
    sdk: `import { spawn } from "node:child_process"; import { Readable, Writable } from "node:stream"; import { client, methods, ndJsonStream } from "@agentclientprotocol/sdk";
const child = spawn("a"); client({ name: "c" }).onNotification(methods.client.session.update, console.log)
.connectWith(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)), async (agent) => { await agent.request(methods.agent.initialize, { protocolVersion: 1 }); });`,
  },
};

/** The files to count. */
type Counts = (path: string) => boolean;

const all: Counts = () => true;
const withoutMaps: Counts = (path) => !path.endsWith(".map");

/** Returns the installed size of one of our packages, in kB: the files that npm packs. */
function packed(folder: string, counts: Counts): number {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json"], {
    cwd: join(root, "packages", folder),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ files = [] } = {}] = JSON.parse(output) as { files?: { path: string; size: number }[] }[];
  return files.filter(({ path }) => counts(path)).reduce((sum, { size }) => sum + size, 0) / 1000;
}

/** Returns the size of a folder in bytes, without the dependencies of its package. */
function weight(path: string, counts: Counts): number {
  if (!statSync(path).isDirectory()) return counts(path) ? statSync(path).size : 0;
  const names = readdirSync(path).filter((name) => name !== "node_modules");
  return names.reduce((sum, name) => sum + weight(join(path, name), counts), 0);
}

/** Returns the size of an agent author's dependencies on disk, in MB. */
function onDisk(counts: Counts): { readonly ours: number; readonly sdk: number } {
  const ours = ["agent", "stdio", "protocol", "jsonrpc", "types"];
  const theirs = ["@agentclientprotocol/sdk", "zod"];
  return {
    ours: ours.reduce((sum, folder) => sum + packed(folder, counts), 0) / 1000,
    sdk: theirs.reduce((sum, name) => sum + weight(installed(name).folder, counts), 0) / 1e6,
  };
}

export const sizes: Measure = {
  name: "sizes",
  async measure() {
    const agent = { ours: await bundled(programs.agent.ours), sdk: await bundled(programs.agent.sdk) };
    const client = { ours: await bundled(programs.client.ours), sdk: await bundled(programs.client.sdk) };
    const disk = onDisk(all);
    const code = onDisk(withoutMaps);
    return {
      title: "Sizes",
      how: "The smallest agent and client, bundled for Node with esbuild, minified and gzipped; and the size of an agent author's dependencies on disk (the SDK with zod).",
      rows: [
        { title: "smallest agent", unit: "kB", figures: agent, goal: boundGoal("≤ 12 kB", agent.ours, 12) },
        { title: "smallest client", unit: "kB", figures: client, goal: boundGoal("≤ 16 kB", client.ours, 16) },
        { title: "installed for an agent", unit: "MB", figures: disk },
        {
          title: "installed for an agent, without source maps",
          unit: "MB",
          figures: code,
          goal: boundGoal("≤ 1 MB", code.ours, 1),
        },
      ],
    };
  },
};
