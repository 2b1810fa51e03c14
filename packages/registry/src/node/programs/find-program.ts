import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";

/** Where to search for programs. */
export interface ProgramSearch {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether there is an executable file at this path. */
  readonly canRun: (path: string) => boolean;
}

/**
 * Finds a program on the `PATH` by its name; `undefined` if it is not there. On Windows it is a program with an extension of
 * `PATHEXT`, or a shim of a package manager (`.cmd`, `.ps1`), all of which `spawnAgent` can start. Nothing is executed.
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

/** The programs of this machine. */
export function programsHere(env: ProgramSearch["env"]): ProgramSearch {
  return { platform: process.platform, env, canRun };
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK); // on Windows: that it exists
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
