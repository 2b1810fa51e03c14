import { homedir } from "node:os";
import { join } from "node:path";

/** The variables of an environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the user's home directory. */
export function homeDirectory(env: Variables): string {
  return env.HOME || env.USERPROFILE || homedir();
}

/** The directory of the install store: in `XDG_DATA_HOME`, on Windows `LOCALAPPDATA`, else `~/.local/share`. */
export function agentsDirectory(env: Variables = process.env): string {
  const base = env.XDG_DATA_HOME || windows(env) || join(homeDirectory(env), ".local", "share");
  return join(base, "acp-kit", "agents");
}

/** The directory of cached data: in `XDG_CACHE_HOME`, on Windows `LOCALAPPDATA`, otherwise `~/.cache`. */
export function cacheDirectory(env: Variables = process.env): string {
  const local = windows(env);
  return join(
    env.XDG_CACHE_HOME || (local && join(local, "cache")) || join(homeDirectory(env), ".cache"),
    "acp-kit",
    "registry",
  );
}

/** The path of the user's settings file: in `XDG_CONFIG_HOME`, on Windows `APPDATA`, otherwise `~/.config`. */
export function settingsFile(env: Variables = process.env): string {
  const roaming = process.platform === "win32" ? env.APPDATA : undefined;
  return join(env.XDG_CONFIG_HOME || roaming || join(homeDirectory(env), ".config"), "acp-kit", "agents.json");
}

function windows(env: Variables): string | undefined {
  return process.platform === "win32" ? env.LOCALAPPDATA : undefined;
}
