// Real agents, when they are installed: ACP_KIT_PEERS is the folder they were installed into, ACP_KIT_PEERS_KIT the folder with the
// catalogue of how to start them (`agents.json`) and the model that they talk to (`fake-llm/fake-llm.mjs`). Neither belongs to this project.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "@acp-kit/configs/packages";
import type { SpawnAgentOptions } from "@acp-kit/stdio/node";

interface CatalogEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, unknown>>;
  readonly missingFile?: "empty";
  readonly scenarios: readonly string[];
}

/** One real agent and what is known to work with it. */
export interface RealAgent {
  readonly name: string;
  readonly scenarios: readonly string[];
  /** It takes an empty file for one that doesn't exist, and fails on an error. */
  readonly missingFileIsEmpty: boolean;
  /** Makes a home and a working directory of its own, and says how to start it there. */
  prepare(modelUrl: string): { readonly cwd: string; readonly spawn: SpawnAgentOptions; remove(): void };
}

const installed = process.env.ACP_KIT_PEERS ?? join(tmpdir(), "acp-peers");
const kit = [process.env.ACP_KIT_PEERS_KIT, installed, ...besideThisProject()].find(
  (folder) => folder !== undefined && existsSync(join(folder, "agents.json")),
);

/** The installed agents; empty, with a reason, when there are none. */
export function realAgents(): { readonly agents: readonly RealAgent[]; readonly reason: string } {
  if (kit === undefined) return { agents: [], reason: "no catalogue of real agents was found (ACP_KIT_PEERS_KIT)" };
  const { agents } = JSON.parse(readFileSync(join(kit, "agents.json"), "utf8")) as {
    agents: Record<string, CatalogEntry>;
  };
  const found = Object.entries(agents).filter(([name]) => existsSync(join(installed, name, "node_modules")));
  return {
    agents: found.map(([name, entry]) => ({
      name,
      scenarios: entry.scenarios,
      missingFileIsEmpty: entry.missingFile === "empty",
      prepare: (modelUrl) => prepare(entry, modelUrl),
    })),
    reason: `no real agents are installed in ${installed} (ACP_KIT_PEERS)`,
  };
}

/** Starts the model that the agents talk to. */
export async function startModel(): Promise<{ readonly url: string; close(): void }> {
  const module = (await import(pathToFileURL(join(kit ?? "", "fake-llm", "fake-llm.mjs")).href)) as {
    start(): Promise<{ url: string; close(): void }>;
  };
  return module.start();
}

function prepare(entry: CatalogEntry, modelUrl: string): ReturnType<RealAgent["prepare"]> {
  const box = mkdtempSync(join(realpathSync(tmpdir()), "acp-kit-peer-"));
  const home = join(box, "home");
  const cwd = join(box, "ws");
  for (const folder of [home, cwd, join(box, "tmp")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(cwd, "hello.txt"), "hello line 1\nhello line 2\n");
  writeFileSync(join(cwd, "edit.txt"), "first\nalpha\nlast\n");
  const newerNode = join(installed, "node24", "node_modules", "node", "bin", "node");
  const node = existsSync(newerNode) ? newerNode : process.execPath;
  const values: Record<string, string> = {
    PEERS_DIR: installed,
    NODE: node,
    LLM: modelUrl,
    HOME: home,
    CWD: cwd,
    ARCH: process.arch,
  };
  const filled = (text: string): string => text.replace(/\$\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  for (const [name, content] of Object.entries(entry.files ?? {})) {
    const path = join(home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, filled(JSON.stringify(content)));
  }
  // A throw-away home, and no way out: whatever is not loopback goes to a closed port.
  const nowhere = "http://127.0.0.1:9";
  const loopback = "127.0.0.1,localhost,::1";
  const env = {
    PATH: `${dirname(node)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: join(box, "tmp"),
    LANG: "C.UTF-8",
    TERM: "dumb",
    SHELL: "/bin/bash",
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    ...{ HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, http_proxy: nowhere, https_proxy: nowhere },
    ...{ NO_PROXY: loopback, no_proxy: loopback, DO_NOT_TRACK: "1", NO_COLOR: "1" },
    ...Object.fromEntries(Object.entries(entry.env ?? {}).map(([name, value]) => [name, filled(value)])),
  };
  return {
    cwd,
    spawn: { command: filled(entry.command), args: entry.args.map(filled), cwd, env, inheritEnv: false },
    remove: () => rmSync(box, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** A folder called `peers` beside this project, or in a folder beside it. */
function besideThisProject(): string[] {
  const parent = dirname(root.replace(/[\\/]$/, ""));
  try {
    const folders = readdirSync(parent, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [join(parent, "peers"), ...folders.map(({ name }) => join(parent, name, "peers"))];
  } catch {
    return []; // what lies beside us may be none of our business
  }
}
