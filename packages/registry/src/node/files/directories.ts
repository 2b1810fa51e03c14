import { homedir } from "node:os";
import { join } from "node:path";

/** The variables of an environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

const home = (env: Variables): string => env.HOME || env.USERPROFILE || homedir();

/** The folder of installed agents: below `XDG_DATA_HOME`, on Windows `LOCALAPPDATA`, else `~/.local/share`. */
export function agentsDirectory(env: Variables = process.env): string {
  const base = env.XDG_DATA_HOME || windows(env) || join(home(env), ".local", "share");
  return join(base, "acp-kit", "agents");
}

/** The folder of cached registries and detections: below `XDG_CACHE_HOME`, on Windows `LOCALAPPDATA`, else `~/.cache`. */
export function cacheDirectory(env: Variables = process.env): string {
  const local = windows(env);
  return join(
    env.XDG_CACHE_HOME || (local && join(local, "cache")) || join(home(env), ".cache"),
    "acp-kit",
    "registry",
  );
}

/** The file of the user's own agents: below `XDG_CONFIG_HOME`, on Windows `APPDATA`, else `~/.config`. */
export function settingsFile(env: Variables = process.env): string {
  const roaming = process.platform === "win32" ? env.APPDATA : undefined;
  return join(env.XDG_CONFIG_HOME || roaming || join(home(env), ".config"), "acp-kit", "agents.json");
}

function windows(env: Variables): string | undefined {
  return process.platform === "win32" ? env.LOCALAPPDATA : undefined;
}
