// Builds and packs every package, and serves the tarballs as a registry for npm until Ctrl-C, to try the packages
// before their release:
//   npm run try                    on port 4874
//   npm run try -- --port 5000     on another port; 0 means any free port
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packages, root } from "../tools/configs/packages.mjs";
import { environment } from "./environment.mjs";
import { serveTarballs } from "./tarball-registry.mjs";

const { values } = parseArgs({ options: { port: { type: "string", default: "4874" } } });
// The registry that serves the other packages: that of the user's configuration.
const next = process.env.npm_config_registry || "https://registry.npmjs.org/";

const turbo = join(root, "node_modules", "turbo", "bin", "turbo");
run([turbo, "run", "build", "--filter=./packages/*", "--output-logs=errors-only"], "built");

const destination = join(root, ".tmp", "try");
rmSync(destination, { recursive: true, force: true });
mkdirSync(destination, { recursive: true });
const pnpm = join(root, "node_modules", "pnpm", "bin", "pnpm.cjs");
const filters = packages().map(({ name }) => `--filter=${name}`);
const packed = run(
  [
    pnpm,
    "--recursive",
    ...filters,
    "pack",
    "--json",
    "--config.ignore-scripts=true",
    "--pack-destination",
    destination,
  ],
  "packed",
);
const tarballs = JSON.parse(packed).map(({ name, filename }) => ({
  name,
  path: filename,
  manifest: manifestIn(filename),
}));

const registry = await serveTarballs(tarballs, {
  port: Number(values.port),
  next: next.endsWith("/") ? next : `${next}/`,
});
console.log(`${tarballs.length} packages at ${registry.url}, until Ctrl-C. In another terminal and folder:

  export npm_config_registry=${registry.url}
  npm create acp-agent my-agent`);

/** Runs a script of Node to its end, and returns its output. */
function run(command, what) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: root,
    env: environment,
    encoding: "utf8",
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (status === 0) return stdout;
  console.error(`${stdout}${stderr}\nThe packages could not be ${what}.`);
  return process.exit(status ?? 1);
}

/** Returns the manifest in a tarball: `pnpm pack` replaces the versions `workspace:` there. */
function manifestIn(tarball) {
  const { status, stdout, stderr } = spawnSync("tar", ["-xOzf", tarball, "package/package.json"], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The manifest of ${tarball} can't be read: ${stderr}`);
  return JSON.parse(stdout);
}
