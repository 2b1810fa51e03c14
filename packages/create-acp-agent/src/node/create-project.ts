import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { copyTemplate } from "./copy-template.js";
import { readStarter } from "./starter.js";

/** Options of {@link createProject}. */
export interface CreateOptions {
  /** The folder to which relative names are resolved. The default is the working directory of the process. */
  readonly cwd?: string;
  /** Prints a line for the user. The default prints to standard output. */
  readonly print?: (line: string) => void;
  /** Prints an error. The default prints to standard error. */
  readonly printError?: (line: string) => void;
}

/**
 * Creates a project from the template of a starter package, for the command `npm create acp-agent my-agent`.
 *
 * The function only writes files. It installs nothing and uses no network. If the folder exists and is not empty, the
 * function writes nothing.
 *
 * @param package_ - the folder of the starter package, which has a `package.json` and a `template` folder
 * @param args - the arguments of the command: the name of the new folder
 * @returns the exit code: 0, or 2 when the arguments are wrong or the folder can't be used
 */
export async function createProject(
  package_: URL,
  args: readonly string[],
  options: CreateOptions = {},
): Promise<number> {
  const {
    cwd = process.cwd(),
    print = (line) => void process.stdout.write(`${line}\n`),
    printError = (line) => void process.stderr.write(`${line}\n`),
  } = options;
  const starter = readStarter(package_);
  const usage = `Usage: npm create ${starter.name.replace(/^create-/, "")} <folder>`;
  const [folder, ...more] = args;
  if (folder === "--help" || folder === "-h") {
    print(`${usage}\n\n${starter.description}`);
    return 0;
  }
  const target = resolve(cwd, folder ?? "");
  try {
    const problem = problemOf(folder, more, cwd);
    if (folder === undefined || problem !== undefined) {
      printError(`${problem}\n${usage}`);
      return 2;
    }
    copyTemplate(fileURLToPath(new URL("template", package_)), target, {
      name: packageNameOf(basename(target)),
      id: agentIdOf(packageNameOf(basename(target))),
      ...starter.versions,
    });
  } catch (error) {
    // Only errors of the file system have a code. Others are defects of the template.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    printError(`Can't write the project to ${target}: ${(error as Error).message}`);
    return 2;
  }
  const steps = [...(target === resolve(cwd) ? [] : [`cd ${shellWord(folder)}`]), "npm install", "npm test"];
  print(`Created ${target}.\n\n  ${steps.join("\n  ")}\n\nREADME.md describes the next steps.`);
  return 0;
}

/** Returns why no project can be created in this folder, or `undefined`. */
function problemOf(folder: string | undefined, more: readonly string[], cwd: string): string | undefined {
  if (folder === undefined || folder === "") return "The name of the new folder is missing.";
  if (folder.startsWith("-")) return `There is no option ${folder}.`;
  if (more.length > 0) return `The command takes one folder; "${more[0]}" is one argument too many.`;
  const target = resolve(cwd, folder);
  if (packageNameOf(basename(target)) === "")
    return `"${folder}" contains no character of a package name: use letters and digits.`;
  const existing = nearestExisting(target);
  if (!statSync(existing).isDirectory()) return `${existing} exists and is not a folder. Choose another name.`;
  if (existing === target && readdirSync(target).length > 0) {
    return `${target} exists and is not empty. Choose another name, or empty it.`;
  }
  return undefined;
}

/**
 * Converts a package name to an id of the public registry of agents: lower-case letters, digits and hyphens, and a
 * letter at first.
 */
function agentIdOf(name: string): string {
  const id = name.replace(/[^a-z0-9]+/g, "-");
  return /^[a-z]/.test(id) ? id.slice(0, 128) : `agent-${id}`.slice(0, 128);
}

/** Quotes the name of a folder for the user's shell, if the shell would otherwise change or split the name. */
function shellWord(folder: string): string {
  if (/^[\p{L}\p{N}_./\\:@+-]+$/u.test(folder) && (process.platform === "win32" || !folder.includes("\\")))
    return folder;
  return process.platform === "win32" ? `"${folder}"` : `'${folder.replaceAll("'", "'\\''")}'`;
}

/** Returns the path if it exists. Otherwise returns the nearest parent folder that exists. */
function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

/** Converts the name of a folder to a valid npm package name. */
function packageNameOf(folder: string): string {
  const name = folder.toLowerCase().replace(/[^a-z0-9._~-]+/g, "-");
  const words = name.slice(0, 214).replace(/^[._-]+/, "");
  let end = words.length;
  while (words[end - 1] === "-") end -= 1;
  return words.slice(0, end);
}
