import { realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { PackageDistribution } from "../catalog/registry-document.js";
import { RegistryError } from "../errors.js";
import { findProgram, programsHere } from "../programs/find-program.js";
import type { InstallContext, InstallResult } from "./install-options.js";
import { packageSpec } from "./package-spec.js";
import { runInstaller } from "./run-installer.js";

/** Installs a package of PyPI by `uv tool install` and finds its program, which starts without `uvx`. */
export async function installUv(
  distribution: PackageDistribution,
  agentVersion: string,
  wanted: string | undefined,
  context: InstallContext,
): Promise<InstallResult> {
  const { folder, env, limits, signal, onProgress } = context;
  const spec = packageSpec(distribution.package, "uvx");
  const version = wanted ?? spec.version;
  const extras = /\[[^[\]]*\]/.exec(distribution.package)?.[0] ?? "";
  const text = `${spec.name}${extras}${version === undefined ? "" : `==${version}`}`;
  const uv = findProgram("uv", programsHere(env));
  if (uv === undefined) {
    throw new RegistryError(
      "missing_tool",
      `${text} can't be installed: uv is not on the PATH. Install uv (https://docs.astral.sh/uv/) and try again.`,
    );
  }
  onProgress({ step: "install", what: text });
  const own = { UV_TOOL_DIR: join(folder, "tools"), UV_TOOL_BIN_DIR: join(folder, "bin"), UV_NO_PROGRESS: "1" };
  const inherited = Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  await runInstaller(text, {
    name: "uv",
    command: uv,
    args: ["tool", "install", "--quiet", text],
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...own },
    timeoutMs: limits.installerMs,
    signal,
    ledger: context.ledger,
  });
  const file = await programOf(folder, distribution.cmd ?? spec.name);
  const launch = { file, isNodeScript: false, args: distribution.args ?? [], env: distribution.env ?? {} };
  return { launch, version: version ?? agentVersion, notes: [] };
}

async function programOf(folder: string, name: string): Promise<string> {
  for (const each of process.platform === "win32" ? [`${name}.exe`, name] : [name]) {
    const path = join(folder, "bin", each);
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || relative(await realpath(folder), real).startsWith(`..${sep}`)) continue;
    if ((await stat(real)).isFile()) return `bin/${each}`;
  }
  throw new RegistryError("no_distribution", `The package has no program "${name}". The package was not installed.`);
}
