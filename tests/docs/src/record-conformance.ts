// Runs the kit on the peers of the page about conformance, and writes the results into docs/conformance/runs:
// `pnpm --filter @acp-kit/docs-tests record-conformance [name…] [-- options of acp-kit conformance]`. Without names, it
// runs on every peer. Options such as `--only` and `--skip` divide a long run into parts. `--parts <folder>` keeps the
// reports of the parts, and each part condenses all of them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, execPath, stderr } from "node:process";
import { createInterface } from "node:readline";
import { root } from "@acp-kit/configs/packages";
import { condense } from "./condense.js";
import { type ConformancePeer, conformancePeers } from "./conformance-peers.js";

const words = argv.slice(2).filter((word, index) => word !== "--" || index > 0);
const divider = words.indexOf("--");
const own = divider === -1 ? words : words.slice(0, divider);
const more = divider === -1 ? [] : words.slice(divider + 1);
const partsAt = own.indexOf("--parts");
const parts = partsAt === -1 ? undefined : own[partsAt + 1];
const names = own.filter((_, index) => partsAt === -1 || (index !== partsAt && index !== partsAt + 1));

const unknown = names.filter((name) => !conformancePeers.some((peer) => peer.name === name));
if (unknown.length > 0) {
  stderr.write(
    `No such peer: ${unknown.join(", ")}. The peers are ${conformancePeers.map(({ name }) => name).join(", ")}.\n`,
  );
  process.exit(2);
}

for (const peer of conformancePeers.filter(({ name }) => names.length === 0 || names.includes(name))) {
  if (peer.missing === undefined) await record(peer);
  else stderr.write(`Not run: ${peer.name}, because ${peer.peer} is not installed (ACP_KIT_PEERS).\n`);
}

async function record(peer: ConformancePeer): Promise<void> {
  const box = mkdtempSync(join(realpathSync(tmpdir()), "acp-kit-record-"));
  const folder = parts ?? join(box, "reports");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${peer.name}-${readdirSync(folder).length}.json`);
  await using server = peer.server && (await startServer(peer.server));
  const [role = "", ...rest] = peer.words.map((word) => word.replace("{url}", server?.url ?? ""));
  const child = spawn(
    execPath,
    [
      join(root, "packages/acp-kit/bin/acp-kit.js"),
      "conformance",
      role,
      "--protocol",
      "1",
      "--json",
      file,
      ...more,
      ...rest,
    ],
    {
      cwd: box,
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  const [code] = await once(child, "exit");
  const reports = readdirSync(folder).filter((name) => name.startsWith(`${peer.name}-`));
  stderr.write(`${peer.name}: exit code ${code}, ${reports.length} report(s)\n`);
  const read = reports.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  if (read.length > 0) {
    const run = condense(read, { role: peer.role, peer: peer.peer, version: peer.version });
    writeFileSync(join(root, "docs/conformance/runs", `${peer.name}.json`), `${JSON.stringify(run, undefined, 2)}\n`);
  }
  rmSync(box, { recursive: true, force: true, maxRetries: 3 });
}

/** Starts a server and reads its address from its first line. */
async function startServer([command = "", ...args]: readonly string[]): Promise<
  AsyncDisposable & { readonly url: string }
> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [url] = await once(createInterface({ input: child.stdout }), "line");
  return {
    url: String(url),
    async [Symbol.asyncDispose]() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}
