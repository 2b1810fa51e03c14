import { accessSync, constants, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A folder below the one where this user's programs keep their state: `XDG_STATE_HOME`, `LOCALAPPDATA` on Windows, else `~/.local/state`.
 * `undefined` when it can't be made or written: in a container without a home nothing has to be remembered.
 */
export function stateDirectory(name: string, env: Environment): string | undefined {
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  const base =
    env.XDG_STATE_HOME || (process.platform === "win32" && env.LOCALAPPDATA) || join(home, ".local", "state");
  const directory = join(base, "acp-kit", name);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK);
    return directory;
  } catch {
    return undefined;
  }
}
