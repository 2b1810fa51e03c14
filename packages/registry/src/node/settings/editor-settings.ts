import { homedir } from "node:os";
import { join } from "node:path";
import { isArguments, isObject, isText, isVariables } from "../catalog/decode-members.js";
import type { Variables } from "../files/directories.js";
import { readBounded, withoutMark } from "../files/read-bounded.js";
import type { AgentSettings, FoundSettings } from "./agent-settings.js";
import { parseJsonWithComments } from "./json-with-comments.js";

const maxBytes = 4_194_304;

/**
 * Reads the agents in the settings of editors: the member `agent_servers` of Zed's `settings.json` and of JetBrains'
 * `~/.jetbrains/acp.json`. Ignores missing and invalid files and unknown entries: the editors define the formats of
 * these files, which also contain other settings.
 *
 * @see https://zed.dev/docs/ai/external-agents
 * @see https://www.jetbrains.com/help/ai-assistant/acp.html
 */
export async function readEditorSettings(env: Variables = process.env): Promise<readonly FoundSettings[]> {
  const found = await Promise.all(editorFiles(env).map(readFile));
  return found.filter((each) => each !== undefined);
}

/** Returns the id of an agent in an editor's settings, for `resolveAgent`: its display name in lower case, with hyphens for spaces. */
export function editorAgentId(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, "-");
}

/** Returns the paths of the settings files of known editors on this system. */
export function editorFiles(env: Variables = process.env): readonly string[] {
  const home = env.HOME || env.USERPROFILE || homedir();
  const windows = process.platform === "win32" ? env.APPDATA : undefined;
  const config = env.XDG_CONFIG_HOME || join(home, ".config");
  return [
    windows === undefined ? join(config, "zed", "settings.json") : join(windows, "Zed", "settings.json"),
    join(home, ".jetbrains", "acp.json"),
  ];
}

async function readFile(file: string): Promise<FoundSettings | undefined> {
  try {
    const text = await readBounded(file, maxBytes);
    const value = text === undefined ? undefined : parseJsonWithComments(withoutMark(text));
    const servers = isObject(value) ? value.agent_servers : undefined;
    if (!isObject(servers)) return undefined;
    const agents = Object.entries(servers).flatMap(([name, server]): [string, AgentSettings][] => {
      const agent = readServer(server);
      return agent === undefined ? [] : [[name, agent]];
    });
    return agents.length === 0 ? undefined : { agents: Object.fromEntries(agents), file };
  } catch {
    return undefined; // the editor reports errors in its own settings
  }
}

/**
 * Reads the settings of one agent. A custom agent has a command. Older versions of Zed store the command in an object:
 * `{ path, args, env }`. For an agent of the registry, the settings contain only changes to its registry entry.
 */
function readServer(server: unknown): AgentSettings | undefined {
  if (!isObject(server)) return undefined;
  const nested = isObject(server.command) ? server.command : server;
  const { args = [], env = {} } = nested;
  const command = nested === server ? server.command : nested.path;
  if (!isArguments(args) || !isVariables(env)) return undefined;
  if (!isText(command) && server.type !== "registry") return undefined;
  const model = isText(server.default_model) ? server.default_model : undefined;
  const mode = isText(server.default_mode) ? server.default_mode : undefined;
  const changes = { args, env, ...(model !== undefined && { model }), ...(mode !== undefined && { mode }) };
  return isText(command) ? { ...changes, command } : changes;
}
