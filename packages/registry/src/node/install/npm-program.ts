import { open, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { isJsonObject } from "@acp-kit/protocol/internal";
import { RegistryError } from "../errors.js";

/**
 * Returns the file of the program of a package that npm has installed, relative to the folder of the installation.
 *
 * @param cmd the program's name, if the package has several.
 * @throws {RegistryError} `no_distribution` when the program is not a file of the package.
 */
export async function programOf(
  folder: string,
  name: string,
  manifest: Readonly<Record<string, unknown>>,
  cmd: string | undefined,
): Promise<string> {
  const root = join("node_modules", ...name.split("/"));
  const file = join(root, binOf(manifest, name, cmd));
  if (!isInside(root, file)) throw noProgram(name, cmd);
  await checkProgram(folder, file, name, cmd);
  return file;
}

/** Returns whether a file is a script for Node. Its `#!` line decides, or its extension if it has no such line. */
export async function isScriptForNode(path: string): Promise<boolean> {
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
    const [line = ""] = buffer.toString("latin1", 0, bytesRead).split("\n", 1);
    if (line.startsWith("#!")) return /\bnode\b/.test(line);
    return /\.[cm]?js$/.test(path);
  } finally {
    await handle.close();
  }
}

/** Returns whether a path is below a folder. Compares only the texts. */
function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Checks the program. Refuses a program that is not a file, and a link to a file outside the installation. */
async function checkProgram(folder: string, file: string, name: string, cmd: string | undefined): Promise<void> {
  const real = await realpath(join(folder, file)).catch(() => undefined);
  if (real === undefined || !isInside(await realpath(folder), real) || !(await stat(real)).isFile())
    throw noProgram(name, cmd);
}

/** Returns a package's program `cmd`, or as npx does: the one with the package's name, or the only one. */
function binOf({ bin }: Record<string, unknown>, name: string, cmd: string | undefined): string {
  const own = name.split("/").pop() ?? name;
  const programs = typeof bin === "string" ? { [own]: bin } : isJsonObject(bin) ? bin : {};
  const only = new Set(Object.values(programs)).size === 1 ? Object.keys(programs)[0] : undefined;
  const key = cmd ?? (Object.hasOwn(programs, own) ? own : only);
  const file = key !== undefined && Object.hasOwn(programs, key) ? programs[key] : undefined;
  if (typeof file !== "string" || file === "") throw noProgram(name, cmd);
  return file;
}

function noProgram(name: string, cmd: string | undefined): RegistryError {
  return new RegistryError(
    "no_distribution",
    `The package ${name} has no program${cmd === undefined ? "" : ` "${cmd}"`}. The package was not installed.`,
  );
}
