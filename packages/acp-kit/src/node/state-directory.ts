import { accessSync, constants, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Creates the directory `acp-kit/<name>` in the user's state directory and returns its path. The state directory is the
 * value of `XDG_STATE_HOME` or, on Windows, of `LOCALAPPDATA`; the default is `~/.local/state`. Returns `undefined` if
 * the new directory can't be created or written, as in a container without a home directory, or if its path is
 * relative: files would otherwise appear in the working directory.
 */
export function stateDirectory(name: string, env: Environment): string | undefined {
  const home = env.HOME || env.USERPROFILE || homedir();
  const base =
    env.XDG_STATE_HOME || (process.platform === "win32" && env.LOCALAPPDATA) || join(home, ".local", "state");
  if (!isAbsolute(base)) return undefined;
  const directory = join(base, "acp-kit", name);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK);
    return directory;
  } catch {
    return undefined;
  }
}
