import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entries, packages } from "@acp-kit/configs/packages";
import { agent, house } from "@acp-kit/workspace-tests/house";
import type { TestProject } from "vitest/node";
import { npm, pnpm, succeed } from "./commands.js";

/** Where the packed packages live while the tests run: outside the workspace, each installed from its tarball alone. */
export interface Homes {
  /** Package name → tarball. */
  readonly tarballs: Readonly<Record<string, string>>;
  /** A project into which npm has installed every package, flat. */
  readonly npm: string;
  /** A project into which npm has installed the packages of a stdio agent, and nothing else. */
  readonly agent: string;
  /** Package name → a project into which pnpm has installed that package alone, so that it sees no other by name. */
  readonly pnpm: Readonly<Record<string, string>>;
}

declare module "vitest" {
  interface ProvidedContext {
    homes: Homes;
  }
}

/** Packs every package once and installs the tarballs in empty projects; vitest runs it before the tests. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-packaging-")));
  const leave = () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  try {
    const tarballs = await packAll(join(scratch, "tarballs"));
    const [npmHome, agentHome, pnpmHomes] = await Promise.all([
      installWithNpm(join(scratch, "npm"), tarballs, Object.keys(tarballs)),
      installWithNpm(join(scratch, "agent"), tarballs, agent.packages),
      installWithPnpm(join(scratch, "pnpm"), tarballs),
    ]);
    provide("homes", { tarballs, npm: npmHome, agent: agentHome, pnpm: pnpmHomes });
  } catch (error) {
    leave();
    throw error;
  }
  return leave;
}

async function packAll(destination: string): Promise<Record<string, string>> {
  mkdirSync(destination);
  const packed = packages().map(async ({ name, directory }) => {
    const missing = entries(directory)
      .flatMap(({ output }) => [`dist/${output}.js`, `dist/${output}.d.ts`])
      .filter((path) => !existsSync(join(directory, path)));
    if (missing.length > 0)
      throw new Error(`${name} is not built, it has no ${missing.join(", ")}: run "npm run build"`);
    const { stdout } = await succeed(pnpm("pack", "--json", "--pack-destination", destination), directory);
    return [name, (JSON.parse(stdout) as { filename: string }).filename] as const;
  });
  return Object.fromEntries(await Promise.all(packed));
}

async function installWithNpm(
  directory: string,
  tarballs: Record<string, string>,
  names: readonly string[],
): Promise<string> {
  mkdirSync(directory);
  const overrides = fileSpecifiers(tarballs);
  const dependencies = Object.fromEntries(names.map((name) => [name, overrides[name]]));
  writeJson(join(directory, "package.json"), { private: true, type: "module", dependencies, overrides });
  await succeed(npm("install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"), directory);
  return directory;
}

async function installWithPnpm(directory: string, tarballs: Record<string, string>): Promise<Record<string, string>> {
  const specifiers = fileSpecifiers(tarballs);
  const homes = Object.keys(tarballs).map((name) => [name, join(directory, name.replace("@acp-kit/", ""))] as const);
  for (const [name, home] of homes) {
    mkdirSync(home, { recursive: true });
    // All of its entries are looked at, those included that need an optional package.
    const names = [name, ...Object.keys(house[name]?.optional ?? {})];
    const dependencies = Object.fromEntries(names.map((wanted) => [wanted, specifiers[wanted]]));
    writeJson(join(home, "package.json"), { private: true, type: "module", dependencies });
  }
  const settings = { packages: ["*"], hoist: false, overrides: specifiers, updateNotifier: false };
  writeJson(join(directory, "pnpm-workspace.yaml"), settings); // JSON is YAML
  writeJson(join(directory, "package.json"), { private: true });
  await succeed(pnpm("install", "--prefer-offline", "--ignore-scripts", "--no-frozen-lockfile"), directory);
  return Object.fromEntries(homes);
}

function fileSpecifiers(tarballs: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tarballs).map(([name, path]) => [name, `file:${path}`]));
}

const writeJson = (path: string, value: unknown) => writeFileSync(path, JSON.stringify(value, undefined, 2));
