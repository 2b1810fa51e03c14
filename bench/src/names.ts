// Measures the time from the name of an agent to its response to `initialize`: `pnpm --filter @acp-kit/bench names`,
// after a build.
//   ROUNDS=3 … names              fewer rounds than 5
// The agent is a small script in a package of an npm registry on loopback, so that its own start takes little of the
// time.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentConnection, connectAgent } from "@acp-kit/client";
import { openInstallStore, openRegistry, resolveAgent, warmAgents } from "@acp-kit/registry";
import { type SpawnAgentOptions, spawnAgent } from "@acp-kit/stdio/node";

const rounds = Number(process.env.ROUNDS ?? 5);
const box = mkdtempSync(join(tmpdir(), "acp-kit-names-"));

const script = `#!/usr/bin/env node
process.stdin.on("data", (chunk) => {
  const { id } = JSON.parse(chunk);
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } }) + "\\n");
});
process.stdin.on("end", () => process.exit(0));
`;

function packed(): Buffer {
  const folder = join(box, "package");
  mkdirSync(folder);
  writeFileSync(join(folder, "agent.js"), script, { mode: 0o755 });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "small-agent", version: "1.0.0", bin: "agent.js" }),
  );
  execFileSync("npm", ["pack", "--silent", "--pack-destination", box], { cwd: folder, stdio: "ignore" });
  return readFileSync(join(box, "small-agent-1.0.0.tgz"));
}

const tarball = packed();
const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
const server = createServer((request, response) => {
  if (request.url?.endsWith(".tgz")) return void response.end(tarball);
  if (request.method === "POST") return void response.end("{}"); // npm requests advisories; the registry has none
  if (request.url !== "/small-agent") return void response.writeHead(404).end("{}");
  const dist = { tarball: `${url}/small-agent-1.0.0.tgz`, integrity };
  const version = { name: "small-agent", version: "1.0.0", bin: { "small-agent": "agent.js" }, dist };
  response.end(
    JSON.stringify({ name: "small-agent", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }),
  );
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

let homes = 0;
/** Returns the environment of a user whose caches are empty. */
function newUser(): Record<string, string> {
  homes += 1;
  const home = join(box, `home-${homes}`);
  mkdirSync(home);
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    npm_config_registry: `${url}/`,
    npm_config_cache: join(home, "npm"),
    npm_config_update_notifier: "false",
  };
}

const distribution = { npx: { package: "small-agent@1.0.0" } };
const document = {
  version: "1.0.0",
  agents: [{ id: "small", name: "Small", description: "", version: "1.0.0", distribution }],
};

async function resolved(env: Record<string, string>): Promise<SpawnAgentOptions> {
  const registry = () => openRegistry({ sources: [{ document }], env });
  return {
    ...(await resolveAgent("small", { env, install: true, registry, store: openInstallStore({ env }) })),
    inheritEnv: false,
  };
}

async function initialized(agent: SpawnAgentOptions): Promise<void> {
  await (await connectAgent(spawnAgent(agent))).close();
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

const npx = (env: Record<string, string>) =>
  initialized({ command: "npx", args: ["-y", "small-agent@1.0.0"], env, inheritEnv: false });
const times: Record<string, number[]> = { warm: [], installed: [], "npx, cached": [], cold: [], "npx, cold": [] };
const add = (name: string, ms: number): void => void times[name]?.push(ms);

process.once("exit", () => rmSync(box, { recursive: true, force: true })); // also when a round fails
for (let round = 0; round < rounds; round += 1) {
  const [ours, theirs] = [newUser(), newUser()];
  add("cold", await timed(async () => initialized(await resolved(ours))));
  add("npx, cold", await timed(() => npx(theirs)));
  add("installed", await timed(async () => initialized(await resolved(ours))));
  add("npx, cached", await timed(() => npx(theirs)));
  const warm = warmAgents(await resolved(ours));
  await warm.ready;
  let taken: AgentConnection | undefined;
  add(
    "warm",
    await timed(async () => {
      taken = await warm.take();
    }),
  );
  await taken?.close();
  await warm.close();
}
server.close();

for (const [name, all] of Object.entries(times)) {
  const sorted = all.toSorted((one, other) => one - other);
  const [least, median, most] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((ms) =>
    (ms ?? 0).toFixed(ms !== undefined && ms < 10 ? 2 : 0),
  );
  console.log(`${name.padEnd(12)} ${median?.padStart(6)} ms   (${least}–${most}, ${rounds} rounds)`);
}
