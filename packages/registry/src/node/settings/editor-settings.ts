import { join } from "node:path";
import { isJsonObject } from "@acp-kit/protocol/internal";
import { isArguments, isText, isVariables } from "../catalog/decode-members.js";
import { homeDirectory, type Variables } from "../files/directories.js";
import { readBounded, withoutMark } from "../files/read-bounded.js";
import type { AgentSettings, FoundSettings } from "./agent-settings.js";
import { parseJsonWithComments } from "./json-with-comments.js";

const maxBytes = 4_194_304;

/**
 * Reads the agents in the settings of editors: the member `agent_servers` of Zed's `settings.json` and of JetBrains'
 * `~/.jetbrains/acp.json`, and the member `acp.agents` of the user's settings of VS Code. Ignores missing and invalid
 * files and unknown entries: the editors define the formats of these files, which also contain other settings.
 *
 * @see https://zed.dev/docs/ai/external-agents
 * @see https://www.jetbrains.com/help/ai-assistant/acp.html
 */
export async function readEditorSettings(env: Variables = process.env): Promise<readonly FoundSettings[]> {
  const found = await Promise.all(editorFiles(env).map(readFile));
  return found.filter((each) => each !== undefined);
}

/** Returns an agent's id for `resolveAgent`: its name in the editor, in lower case, with hyphens for spaces. */
export function editorAgentId(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, "-");
}

/** Returns the paths of the settings files of known editors on this system. */
export function editorFiles(env: Variables = process.env): readonly string[] {
  const home = homeDirectory(env);
  const jetbrains = join(home, ".jetbrains", "acp.json");
  const code = ["Code", "User", "settings.json"];
  switch (process.platform) {
    case "win32": {
      const roaming = env.APPDATA || join(home, "AppData", "Roaming");
      return [join(roaming, "Zed", "settings.json"), jetbrains, join(roaming, ...code)];
    }
    case "darwin": // Zed does not use `XDG_CONFIG_HOME` here
      return [
        join(home, ".config", "zed", "settings.json"),
        jetbrains,
        join(home, "Library", "Application Support", ...code),
      ];
    default: {
      const config = env.XDG_CONFIG_HOME || join(home, ".config");
      const zed = env.FLATPAK_XDG_CONFIG_HOME || config;
      return [join(zed, "zed", "settings.json"), jetbrains, join(config, ...code)];
    }
  }
}

async function readFile(file: string): Promise<FoundSettings | undefined> {
  try {
    const text = await readBounded(file, maxBytes);
    const value = text === undefined ? undefined : parseJsonWithComments(withoutMark(text));
    if (!isJsonObject(value)) return undefined;
    const agents = [value.agent_servers, value["acp.agents"]]
      .flatMap(entriesOf)
      .flatMap(([name, server]): [string, AgentSettings][] => {
        const agent = readServer(server);
        return agent === undefined ? [] : [[name, agent]];
      });
    return agents.length === 0 ? undefined : { agents: Object.fromEntries(agents), file };
  } catch {
    return undefined; // the editor reports errors in its own settings
  }
}

/** Returns the agents by name. Some extensions of VS Code take a list of agents with their names. */
function entriesOf(servers: unknown): [name: string, server: unknown][] {
  if (isJsonObject(servers)) return Object.entries(servers);
  if (!Array.isArray(servers)) return [];
  return servers.flatMap((server: unknown) =>
    isJsonObject(server) && isText(server.name) ? [[server.name, server]] : [],
  );
}

/**
 * Reads the settings of one agent. A custom agent has a command. Older versions of Zed store the command in an object:
 * `{ path, args, env }`. For an agent of the registry, the settings contain only changes to its registry entry.
 */
function readServer(server: unknown): AgentSettings | undefined {
  if (!isJsonObject(server) || server.disabled === true || server.enabled === false) return undefined;
  const nested = isJsonObject(server.command) ? server.command : server;
  const { args = [], env = {} } = nested;
  const command = nested === server ? server.command : nested.path;
  if (!isArguments(args) || !isVariables(env)) return undefined;
  if (!isText(command) && server.type !== "registry") return undefined;
  const model = isText(server.default_model) ? server.default_model : undefined;
  const mode = isText(server.default_mode) ? server.default_mode : undefined;
  const changes = { args, env, ...(model !== undefined && { model }), ...(mode !== undefined && { mode }) };
  return isText(command) ? { ...changes, command } : changes;
}
