// Updates the snapshot of the public registry in @acp-kit/registry from a file or a URL, and prints the difference.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const publicRegistry = "https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json";
const snapshotFile = fileURLToPath(new URL("../packages/registry/src/node/catalog/snapshot.json", import.meta.url));

/** Returns one line for each added, removed and changed agent. */
export function difference(before, after) {
  const [old, now] = [byId(before), byId(after)];
  const added = [...now.keys()].filter((id) => !old.has(id)).map((id) => `+ ${id} ${now.get(id).version}`);
  const removed = [...old.keys()].filter((id) => !now.has(id)).map((id) => `- ${id} ${old.get(id).version}`);
  const changed = [...now.keys()].flatMap((id) => (old.has(id) ? changeOf(id, old.get(id), now.get(id)) : []));
  return [...added, ...removed, ...changed];
}

function changeOf(id, old, now) {
  const parts = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (member) => member !== "version" && JSON.stringify(old[member]) !== JSON.stringify(now[member]),
  );
  if (old.version === now.version && parts.length === 0) return [];
  const version = old.version === now.version ? now.version : `${old.version} → ${now.version}`;
  return [`~ ${id} ${version}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`];
}

function byId({ agents }) {
  return new Map(agents.map((agent) => [agent.id, agent]));
}

async function read(source) {
  if (!/^https?:/.test(source)) return readFileSync(source, "utf8");
  const response = await fetch(source, { signal: AbortSignal.timeout(60_000) });
  if (!response.ok) throw new Error(`${source} responded with status ${response.status}`);
  return await response.text();
}

async function update([source = publicRegistry, out = snapshotFile]) {
  const registry = JSON.parse(await read(source));
  if (!Array.isArray(registry?.agents)) throw new Error(`${source} is not a registry: it has no list "agents"`);
  const snapshot = JSON.parse(readFileSync(out, "utf8"));
  const lines = difference(snapshot.registry, registry);
  console.log(lines.length === 0 ? "Nothing has changed." : lines.join("\n"));
  const takenOn = new Date().toISOString().slice(0, 10);
  const from = /^https?:/.test(source) ? source : "a file";
  writeFileSync(out, `${JSON.stringify({ takenOn, source: `Read from ${from}.`, registry }, undefined, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await update(process.argv.slice(2));
  } catch (error) {
    console.error(`registry:update: ${error.message}`);
    process.exitCode = 1;
  }
}
