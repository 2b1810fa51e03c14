import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packages, root } from "@acp-kit/configs/packages";
import { agent, packageBoundaries } from "@acp-kit/workspace-tests/package-boundaries";
import type { TestProject } from "vitest/node";
import { pnpm, succeed } from "./commands.js";
import { fileSpecifiers, installWithNpm } from "./install-with-npm.js";

/** The projects with the packed packages, outside the workspace, each installed from its tarball. */
export interface Homes {
  /** Package name → tarball. */
  readonly tarballs: Readonly<Record<string, string>>;
  /** A project into which npm has installed every package, flat. */
  readonly npm: string;
  /** A project with only the packages of a stdio agent, installed by npm. */
  readonly agent: string;
  /** Package name → a project with only that package, installed by pnpm. Other packages can't be imported there. */
  readonly pnpm: Readonly<Record<string, string>>;
}

declare module "vitest" {
  interface ProvidedContext {
    homes: Homes;
  }
}

/** Packs every package once and installs the tarballs in empty projects. vitest runs this function before the tests. */
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
  // One process packs every package: starting pnpm takes longer than packing.
  const filters = packages().map(({ name }) => `--filter=${name}`);
  const { stdout } = await succeed(
    pnpm(
      "--recursive",
      ...filters,
      "pack",
      "--json",
      "--config.ignore-scripts=true",
      "--pack-destination",
      destination,
    ),
    root,
  );
  const packed = JSON.parse(stdout) as { readonly name: string; readonly filename: string }[];
  return Object.fromEntries(packed.map(({ name, filename }) => [name, filename]));
}

async function installWithPnpm(directory: string, tarballs: Record<string, string>): Promise<Record<string, string>> {
  const specifiers = fileSpecifiers(tarballs);
  const homes = Object.keys(tarballs).map((name) => [name, join(directory, name.replace("@acp-kit/", ""))] as const);
  for (const [name, home] of homes) {
    mkdirSync(home, { recursive: true });
    // All entries are tested, including those that need an optional package.
    const names = [name, ...Object.keys(packageBoundaries[name]?.optional ?? {})];
    const dependencies = Object.fromEntries(names.map((wanted) => [wanted, specifiers[wanted]]));
    writeJson(join(home, "package.json"), { private: true, type: "module", dependencies });
  }
  const settings = { packages: ["*"], hoist: false, overrides: specifiers, updateNotifier: false };
  writeJson(join(directory, "pnpm-workspace.yaml"), settings); // JSON is also YAML.
  writeJson(join(directory, "package.json"), { private: true });
  await succeed(pnpm("install", "--prefer-offline", "--ignore-scripts", "--no-frozen-lockfile"), directory);
  return Object.fromEntries(homes);
}

const writeJson = (path: string, value: unknown) => writeFileSync(path, JSON.stringify(value, undefined, 2));
