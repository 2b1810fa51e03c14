// Real agents, if the environment names them: agents that happen to be installed never change what a test run does.
// ACP_KIT_PEERS is the folder of the agents; ACP_KIT_PEERS_KIT is the folder of the catalogue of their commands
// (`agents.json`) and of their model (`fake-llm/fake-llm.mjs`). Neither belongs to this project.
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

/** One real agent, with its known deviations. */
export interface RealAgent {
  readonly name: string;
  readonly scenarios: readonly string[];
  /** Whether the agent treats a missing file as an empty one, and fails on an error. */
  readonly missingFileIsEmpty: boolean;
  /** Creates a home and a working directory for the agent, and returns the command that starts it there. */
  prepare(modelUrl: string): { readonly cwd: string; readonly spawn: SpawnAgentOptions; remove(): void };
}

const installed = process.env.ACP_KIT_PEERS ?? "";
const kit = [process.env.ACP_KIT_PEERS_KIT, installed, ...besideThisProject()].find(
  (folder) => folder !== undefined && existsSync(join(folder, "agents.json")),
);

/** The installed agents; empty, with a reason, if there are none. */
export function realAgents(): { readonly agents: readonly RealAgent[]; readonly reason: string } {
  if (installed === "") return { agents: [], reason: "no folder of real agents was named (ACP_KIT_PEERS)" };
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

/** Starts the model that the agents use. */
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
  // A temporary home without network access: connections to other addresses than loopback go to a closed port.
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

/** A folder named `peers` beside this project, or in a folder beside it. */
function besideThisProject(): string[] {
  const parent = dirname(root.replace(/[\\/]$/, ""));
  try {
    const folders = readdirSync(parent, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [join(parent, "peers"), ...folders.map(({ name }) => join(parent, name, "peers"))];
  } catch {
    return []; // A folder beside the repository may be unreadable.
  }
}
