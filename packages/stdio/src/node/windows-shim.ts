import { builtin } from "./builtins.js";
import { variable } from "./child-environment.js";
import type { LaunchFiles } from "./launched-program.js";
import type { LaunchContext } from "./spawn-failure.js";

/** The program that a shim starts. */
export interface Shim {
  /** A path, or a name that is searched in `PATH`. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The location of a shim, and its environment. */
export interface ShimPlace {
  readonly directory: string;
  readonly env: LaunchContext["env"];
  readonly files: LaunchFiles;
}

const SET = /^@?SET[ \t]+(?:"([^="]+)=(.*)"|([^="\s]+)=(.*))$/i;
/** The beginning of the line by which npm's shims start the program; also ends the scope of their variables. */
const NPM_PREFIX = /^endLocal & goto #_undefined_# 2>NUL \|\| title %COMSPEC% & /i;
const START = /^@?((?:"[^"]*"|[^"&|<>^()\s]+)(?:[ \t]+(?:"[^"]*"|[^"&|<>^()\s]+))*)[ \t]+%\*$/;
/** The other lines of a shim. A batch file with a line that matches none of these is run by `cmd.exe`. */
const SCAFFOLD = [
  /^(?:::|@?rem\b)/i,
  /^@?echo off$/i,
  /^goto start$/i,
  /^:(?:find_dp0|start)$/i,
  /^exit \/b$/i,
  /^@?setlocal$/i,
  /^call :find_dp0$/i,
  /^@?if (?:not )?(?:exist "[^"]*"|defined \w+) \($/i,
  /^for \/f "delims=" %%f in \(.*\) do \($/i,
  /^\)(?: else \()?$/i,
];

/**
 * Parses a batch file that only starts another program (a shim). npm (`cmd-shim`), pnpm, yarn, corepack and scoop write
 * such files, and npm's own `npx.cmd` is one. Returns `undefined` for any other batch file.
 */
export function readCmdShim(text: string, place: ShimPlace): Shim | undefined {
  const variables = new Map<string, string[]>();
  const starts: string[] = [];
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    const [, quoted, quotedValue, plain, plainValue] = SET.exec(line) ?? [];
    const name = (quoted ?? plain)?.toUpperCase();
    const start = START.exec(line.replace(NPM_PREFIX, ""))?.[1];
    if (name !== undefined) variables.set(name, [...(variables.get(name) ?? []), quotedValue ?? plainValue ?? ""]);
    else if (start !== undefined) starts.push(start);
    else if (line !== "" && !SCAFFOLD.some((known) => known.test(line))) return undefined;
  }
  const shim = new CmdShim(variables, place);
  for (const start of starts) {
    const [program, ...args] = tokens(start).map((token) => shim.expand(token));
    if (program === undefined || args.includes(undefined)) continue;
    // This branch is for a program that does not exist here
    if (isPath(program) && !place.files.isFile(program)) continue;
    return { program, args: args as string[], env: shim.exported(text) };
  }
  return undefined;
}

/** Parses a PowerShell script that npm wrote as a shim. Returns `undefined` for any other script. */
export function readPowerShellShim(text: string, { directory, files }: ShimPlace): Shim | undefined {
  if (!/^\$basedir=Split-Path \$MyInvocation\.MyCommand\.Definition -Parent\r?$/m.test(text)) return undefined;
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    if (!/^&[ \t]/.test(line) || !/[ \t]\$args$/.test(line)) continue;
    const start = line.slice("&".length, -"$args".length);
    const [program, ...args] = tokens(start).map((token) => {
      const path = token.replaceAll("$basedir", directory).replaceAll("$exe", ".exe");
      return token.includes("$basedir") ? builtin("path").win32.normalize(path) : path;
    });
    if (program === undefined || [program, ...args].some((token) => token.includes("$"))) continue;
    if (!isPath(program) || files.isFile(program)) return { program, args, env: {} };
  }
  return undefined;
}

function tokens(line: string): string[] {
  return Array.from(line.matchAll(/"([^"]*)"|[^\s"]+/g), ([token, quoted]) => quoted ?? token);
}

function isPath(program: string): boolean {
  return /[\\/]/.test(program);
}

/**
 * The variables of a shim. Branches are not evaluated: a variable has the values of all branches. {@link expand} uses
 * the first value that can be computed and, if it is a path, names an existing file.
 */
class CmdShim {
  readonly #variables: ReadonlyMap<string, readonly string[]>;
  readonly #place: ShimPlace;

  constructor(variables: ReadonlyMap<string, readonly string[]>, place: ShimPlace) {
    this.#variables = variables;
    this.#place = place;
  }

  /** Replaces the variables in `text`. Returns `undefined` if the value of a variable can't be computed. */
  expand(text: string, depth = 0): string | undefined {
    let known = depth < 8;
    const expanded = text.replace(/%~dp0|%([^%]*)%/gi, (whole, name: string | undefined) => {
      if (whole.toLowerCase() === "%~dp0" || name?.toLowerCase() === "dp0") return `${this.#place.directory}\\`;
      const value = this.#value(name ?? "", depth) ?? variable(this.#place.env, name ?? "");
      if (value === undefined) known = false;
      return value ?? "";
    });
    if (!known || expanded.includes("%")) return undefined;
    return /%~?dp0/i.test(text) ? builtin("path").win32.normalize(expanded) : expanded;
  }

  /** Returns the environment variables of the program: the variables that the shim sets and does not use itself. */
  exported(text: string): Record<string, string> {
    const result: Record<string, string> = {};
    for (const [name, values] of this.#variables) {
      const usedInside = text
        .split(/\r?\n/)
        .filter((line) => !SET.test(line.trim()) || !line.toUpperCase().includes(`${name}=`))
        .some((line) => line.toUpperCase().includes(`%${name}%`));
      if (usedInside || name === "DP0") continue;
      const expanded = values.map((value) => this.expand(value)).filter((value) => value !== undefined);
      // pnpm's shims have two branches: the first sets the variable if it has no value, the last prepends to the old
      // value: `X;%NODE_PATH%`.
      const value = variable(this.#place.env, name) === undefined ? expanded[0] : expanded.at(-1);
      if (value !== undefined) result[name] = value;
    }
    return result;
  }

  #value(name: string, depth: number): string | undefined {
    for (const raw of this.#variables.get(name.toUpperCase()) ?? []) {
      // The value refers to the old value of the variable.
      if (raw.toUpperCase().includes(`%${name.toUpperCase()}%`)) continue;
      const value = this.expand(raw, depth + 1);
      if (value !== undefined && (!isPath(value) || this.#place.files.isFile(value))) return value;
    }
    return undefined;
  }
}
