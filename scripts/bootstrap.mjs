// Installs the workspace if it isn't installed. It needs only Node and npm. `npm test` and `npm run demo` run this
// script first. pnpm comes from the npm registry, in the version that `packageManager` in package.json names.
import { spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { projects, root } from "../tools/configs/packages.mjs";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`acp-kit needs Node 20.19 or later; this is ${process.versions.node}. See https://nodejs.org.`);
  process.exit(1);
}

// This file is written after a successful installation. If it is missing, the installation is repeated.
const stamp = join(root, "node_modules", ".installed");
const wanted = [process.platform, process.arch, read("pnpm-workspace.yaml"), read("pnpm-lock.yaml")].join("\n");
const current = read("node_modules/.installed") === wanted && projects().every(isLinked);
if (!current && !install()) process.exit(1);

/** Returns whether a project has the `node_modules` that it needs. `git clean` in the project's folder removes them. */
function isLinked({ directory, manifest }) {
  const needed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).length > 0;
  return !needed || existsSync(join(directory, "node_modules"));
}

function install() {
  const { packageManager } = JSON.parse(read("package.json"));
  const scratch = mkdtempSync(join(tmpdir(), "acp-kit-"));
  try {
    const env = { ...process.env, npm_config_cache: writableCache() ?? join(scratch, "cache") };
    console.log(`Installing the workspace with ${packageManager}.`);
    // pnpm is installed into a separate folder, because node_modules here may be incomplete or created by npm.
    // No argument is a path, because Windows starts npm through a shell that would split it at its spaces.
    const npm = "install --no-save --no-audit --no-fund --prefer-offline --loglevel error".split(" ");
    // Otherwise npm installs into the nearest parent folder with a package.json
    writeFileSync(join(scratch, "package.json"), "{}");
    const pnpm = join(scratch, "node_modules", "pnpm", "bin", "pnpm.cjs");
    // The options turn off prompts, which would block CI, and install devDependencies even if NODE_ENV is production.
    const options = ["--frozen-lockfile", "--prod=false", "--config.confirmModulesPurge=false"];
    const installed =
      run([...npmCommand(), ...npm, packageManager], { cwd: scratch, env }) &&
      run([process.execPath, pnpm, "install", ...options], { cwd: root, env });
    if (installed) writeFileSync(stamp, wanted);
    return installed;
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Returns npm's cache folder if this user can write to it. Often it belongs to root. */
function writableCache() {
  const cache = process.env.npm_config_cache;
  if (!cache) return undefined;
  try {
    mkdirSync(cache, { recursive: true });
    for (const folder of [cache, join(cache, "_cacache"), join(cache, "_cacache", "tmp")]) {
      if (existsSync(folder)) accessSync(folder, constants.W_OK);
    }
    return cache;
  } catch {
    return undefined;
  }
}

/** Returns the npm that started this script, otherwise the npm on the PATH. */
function npmCommand() {
  const started = process.env.npm_execpath ?? "";
  return basename(started) === "npm-cli.js" ? [process.execPath, started] : ["npm"];
}

function run([command, ...args], options) {
  const shell = process.platform === "win32" && command === "npm";
  const { status, signal, error } = spawnSync(command, args, { ...options, stdio: "inherit", shell });
  if (status === 0) return true;
  const reason = error?.message ?? signal ?? `exit ${status}`;
  console.error(`\nThe workspace could not be installed: ${basename(command)} ${args.join(" ")} (${reason})`);
  return false;
}

function read(path) {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";
}
