import { createHash } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { RegistryEntry } from "../src/node/catalog/agent-registry.js";
import type { AgentDistribution, BinaryTarget, RegistryAgent } from "../src/node/catalog/registry-document.js";
import { registryPlatform } from "../src/node/install/platform.js";
import type { TestServer } from "./server.js";
import { type TarEntry, tarOf } from "./tar.js";

/** Creates a temporary folder; `remove` deletes it. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(realpathSync(tmpdir()), "acp-kit-registry-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** The program of a small agent, which responds only to `initialize`. */
export function agentScript(version = "1.2.3", more = ""): string {
  return `#!/usr/bin/env node
${more}
let text = "";
process.stdin.on("data", (chunk) => {
  text += chunk;
  for (let at; (at = text.indexOf("\\n")) >= 0; text = text.slice(at + 1)) {
    const { id, method } = JSON.parse(text.slice(0, at));
    if (method !== "initialize") continue;
    const result = { protocolVersion: 1, agentInfo: { name: "small", version: "${version}" }, agentCapabilities: {}, authMethods: [], _meta: { args: process.argv.slice(2), env: process.env.SMALL ?? null } };
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  }
});
process.stdin.on("end", () => process.exit(0));
`;
}

/** Creates an agent of a registry. */
export function agentOf(distribution: AgentDistribution, more: Partial<RegistryAgent> = {}): RegistryAgent {
  return { id: "small", name: "Small", description: "A small agent", version: "1.0.0", ...more, distribution };
}

/** Creates an entry of a registry. */
export function entryOf(distribution: AgentDistribution, more: Partial<RegistryAgent> = {}): RegistryEntry {
  return { agent: agentOf(distribution, more), source: "a test" };
}

/** Creates a binary distribution for this platform. */
export function binaryOf(target: BinaryTarget): AgentDistribution {
  return { binary: { [registryPlatform()]: target } };
}

/** Returns the SHA-256 of bytes, in hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A package in the npm registry of a test. */
export interface TestPackage {
  readonly name: string;
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Members of the packed `package.json` that differ from the manifest in the registry. */
  readonly packed?: Readonly<Record<string, unknown>>;
  /** Further entries of the archive, such as links. */
  readonly entries?: readonly TarEntry[];
}

/**
 * Serves packages like an npm registry, with their integrity. Returns the environment variables that make npm use the
 * server.
 */
export function servePackages(server: TestServer, packages: readonly TestPackage[]): Record<string, string> {
  const versions = new Map<string, Record<string, unknown>>();
  for (const { name, version, files, manifest = {}, packed = {}, entries = [] } of packages) {
    const own = { name, version, ...manifest };
    const tarball = gzipSync(
      tarOf([
        { name: "package/package.json", content: JSON.stringify({ ...own, ...packed }) },
        ...Object.entries(files).map(([file, content]) => ({ name: `package/${file}`, content, mode: 0o755 })),
        ...entries,
      ]),
    );
    const path = `/-/${name}-${version}.tgz`;
    server.routes.set(path, tarball);
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const known = versions.get(name) ?? {};
    versions.set(name, { ...known, [version]: { ...own, dist: { tarball: `${server.url}${path}`, integrity } } });
  }
  for (const [name, all] of versions) {
    const latest = Object.keys(all).at(-1);
    server.routes.set(`/${name}`, JSON.stringify({ name, "dist-tags": { latest }, versions: all }));
  }
  return { npm_config_registry: `${server.url}/`, npm_config_fetch_retries: "0" };
}

/** Creates the package of a small agent. */
export function smallPackage(version: string, more: Partial<TestPackage> = {}): TestPackage {
  return {
    name: "@test/small",
    version,
    files: { "agent.js": agentScript(version) },
    manifest: { bin: { small: "agent.js" } },
    ...more,
  };
}
