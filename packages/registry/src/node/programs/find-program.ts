import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";

/** The platform and the environment in which programs are searched, and a test for executable files. */
export interface ProgramSearch {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns whether an executable file exists at this path. */
  readonly canRun: (path: string) => boolean;
}

/**
 * Finds a program on the `PATH` by its name. Returns `undefined` if it does not exist. On Windows, also finds files
 * with an extension of `PATHEXT`, and shims of package managers (`.cmd`, `.ps1`): `spawnAgent` can start these files.
 * Executes nothing.
 */
export function findProgram(name: string, search: ProgramSearch): string | undefined {
  const { platform, env, canRun } = search;
  const windows = platform === "win32";
  const path = windows ? win32 : posix;
  const variable = (wanted: string): string | undefined => {
    const key = Object.keys(env).find((each) => (windows ? each.toUpperCase() === wanted : each === wanted));
    return key === undefined ? undefined : env[key];
  };
  const extensions = windows
    ? [...(variable("PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").toLowerCase().split(";"), ".ps1"]
    : [""];
  const directories = (variable("PATH") ?? "").split(path.delimiter).map((each) => each.replaceAll('"', "").trim());
  for (const directory of directories.filter((each) => each !== "")) {
    for (const extension of extensions) {
      const candidate = path.join(directory, name + extension);
      if (canRun(candidate)) return candidate;
    }
  }
  return undefined;
}

/** Creates a search for the programs of this machine. */
export function programsHere(env: ProgramSearch["env"]): ProgramSearch {
  return { platform: process.platform, env, canRun };
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK); // on Windows, checks only that the file exists
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
