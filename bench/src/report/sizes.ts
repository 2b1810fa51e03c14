// Measures download and load sizes. They are deterministic: the packaging tests check the same figures.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { installed } from "./installed.js";
import { boundGoal, type Measure, ratioGoal } from "./measure.js";

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

/**
 * Returns the sizes of a page's program in kB: the files that it loads first, and the files that it may load later.
 * Each file is minified and gzipped.
 */
async function inBrowser(
  source: string,
  folder = "bench/src",
): Promise<{ readonly first: number; readonly later: number }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: join(root, folder), loader: "js" },
    absWorkingDir: root,
    outdir: root, // nothing is written
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    metafile: true,
    write: false,
  });
  const first = new Set<string>();
  const load = (name: string): void => {
    if (first.has(name)) return;
    first.add(name);
    for (const { path, kind } of metafile.outputs[name]?.imports ?? []) if (kind === "import-statement") load(path);
  };
  for (const [name, { entryPoint }] of Object.entries(metafile.outputs)) if (entryPoint === "<stdin>") load(name);
  const sizes = { first: 0, later: 0 };
  for (const { path, contents } of outputFiles) {
    const size = gzipSync(contents, { level: 9 }).byteLength / 1000;
    sizes[first.has(relative(root, path)) ? "first" : "later"] += size;
  }
  return sizes;
}

const pages = {
  peer: `import { Peer, v1Client } from "@acp-kit/protocol"; import { webSocketAgent } from "@acp-kit/http";
const client = new Peer(await webSocketAgent("wss://a/acp").open(), v1Client); client.handleNotification("session/update", console.log); client.connection.listen();
const { protocolVersion, agentCapabilities } = await client.request("initialize", { protocolVersion: 1 }); client.setAgreement({ protocolVersion, capabilities: agentCapabilities });`,
  ours: `import { connectAgent } from "@acp-kit/client"; import { webSocketAgent } from "@acp-kit/http";
const agent = await connectAgent(webSocketAgent("wss://a/acp")); const session = await agent.newSession({ cwd: "/" }); for await (const update of session.prompt("hi")) console.log(update); await agent.close();`,
  sdk: `import { client, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk"; import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
client({ name: "c" }).onNotification(methods.client.session.update, console.log)
.connectWith(createWebSocketStream("wss://a/acp"), async (agent) => { await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION }); });`,
};

/** Returns the size of the page of the inspector with its style, gzipped, in kB. Its build has minified them. */
function inspectorPage(): number {
  const files = ["page.js", "page.css"].map((name) => join(root, "packages/inspector/dist/page", name));
  return files.reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).byteLength / 1000, 0);
}

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
    const page = {
      peer: await inBrowser(pages.peer),
      ours: await inBrowser(pages.ours),
      sdk: await inBrowser(pages.sdk),
    };
    const chat = await inBrowser('import "./chat.tsx";', "examples/react-chat/src");
    const first = { ours: page.ours.first, sdk: page.sdk.first };
    const peer = { ours: page.peer.first, sdk: page.sdk.first };
    const disk = onDisk(all);
    const code = onDisk(withoutMaps);
    return {
      title: "Sizes",
      how: "The smallest agent and client, bundled for Node with esbuild, minified and gzipped; a page with `Peer` of `@acp-kit/protocol`, and the smallest client for a page (`connectAgent`); and the size of an agent author's dependencies on disk (the SDK with zod).",
      rows: [
        { title: "smallest agent", unit: "kB", figures: agent, goal: boundGoal("≤ 12 kB", agent.ours, 12) },
        { title: "smallest client", unit: "kB", figures: client, goal: boundGoal("≤ 16 kB", client.ours, 16) },
        {
          title: "page with the messages of the protocol, over WebSocket",
          unit: "kB",
          figures: peer,
          goal: ratioGoal("smaller than the SDK's", peer, { over: "sdk", atMost: 1 }),
        },
        {
          title: "smallest client of a page, over WebSocket",
          unit: "kB",
          figures: first,
          goal: ratioGoal("smaller than the SDK's", first, { over: "sdk", atMost: 1 }),
        },
        { title: "what it loads later, for a gateway alone", unit: "kB", figures: { ours: page.ours.later } },
        { title: "chat page with React (examples/react-chat), its code", unit: "kB", figures: { ours: chat.first } },
        { title: "page of the inspector, its code and style", unit: "kB", figures: { ours: inspectorPage() } },
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
