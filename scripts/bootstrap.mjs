// Installs the workspace when it isn't installed, with nothing but Node and npm on the machine. `npm test` and
// `npm run demo` start here. pnpm comes from the npm registry, in the version that package.json#packageManager names.
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

// Written after an install that ended well, so that one which was interrupted is done again.
const stamp = join(root, "node_modules", ".installed");
const wanted = [process.platform, process.arch, read("pnpm-workspace.yaml"), read("pnpm-lock.yaml")].join("\n");
const current = read("node_modules/.installed") === wanted && projects().every(isLinked);
if (!current && !install()) process.exit(1);

/** Whether a project that has dependencies has a `node_modules`: `git clean` in its folder removes it. */
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
    // pnpm itself goes to a folder of its own: what is in node_modules here may be half an install, or npm's.
    // No argument is a path, because Windows starts npm through a shell that would split it at its spaces.
    const npm = "install --no-save --no-audit --no-fund --prefer-offline --loglevel error".split(" ");
    writeFileSync(join(scratch, "package.json"), "{}"); // or npm would install into the nearest folder that has one
    const pnpm = join(scratch, "node_modules", "pnpm", "bin", "pnpm.cjs");
    // Asks nothing (a question would hang in CI); devDependencies also under NODE_ENV=production.
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

/** npm's cache folder, unless it can't be written to: caches that belong to root are common. */
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

/** The npm that started us, else the one on the PATH. */
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
