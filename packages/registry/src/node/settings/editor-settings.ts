import { homedir } from "node:os";
import { join } from "node:path";
import { isArguments, isObject, isText, isVariables } from "../catalog/decode-members.js";
import type { Variables } from "../files/directories.js";
import { readBounded } from "../files/read-bounded.js";
import type { AgentSettings, FoundSettings } from "./agent-settings.js";
import { parseJsonWithComments } from "./json-with-comments.js";

const maxBytes = 4_194_304;

/**
 * Reads the agents of editors' settings where they are found: Zed's `settings.json` and JetBrains' `~/.jetbrains/acp.json`, both with
 * `agent_servers` by name. What is not understood is left out: the files belong to the editors, which read more than this.
 *
 * @see https://zed.dev/docs/ai/external-agents
 * @see https://www.jetbrains.com/help/ai-assistant/acp.html
 */
export async function readEditorSettings(env: Variables = process.env): Promise<readonly FoundSettings[]> {
  const found = await Promise.all(editorFiles(env).map(readFile));
  return found.filter((each) => each !== undefined);
}

/** The settings files of known editors, on this system. */
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
    const value = text === undefined ? undefined : parseJsonWithComments(text);
    const servers = isObject(value) ? value.agent_servers : undefined;
    if (!isObject(servers)) return undefined;
    const agents = Object.entries(servers).flatMap(([name, server]): [string, AgentSettings][] => {
      const agent = readServer(server);
      return agent === undefined ? [] : [[name, agent]];
    });
    return agents.length === 0 ? undefined : { agents: Object.fromEntries(agents), file };
  } catch {
    return undefined; // the editor reports its own mistakes
  }
}

/** A custom agent has its command, which older versions of Zed put into an object; one of the registry has changes to it alone. */
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
