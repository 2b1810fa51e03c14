import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject } from "@acp-kit/protocol/internal";
import { readBounded } from "../files/read-bounded.js";
import { writeAtomically } from "../files/write-atomically.js";
import type { AgentProbe } from "./probe-agent.js";

const maxBytes = 65_536;
const format = 1;

/**
 * The cache for the results of probes. The key is the identity of the program's file: its real path, size, time of
 * change and inode. An updated program has another identity, so it is probed again. Failed probes are not cached,
 * because the reason for the failure may have disappeared.
 */
export class ProbeCache {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = join(directory, "probes");
  }

  async read(path: string, args: readonly string[]): Promise<AgentProbe | undefined> {
    try {
      const text = await readBounded(await this.#fileOf(path, args), maxBytes);
      const entry: unknown = text === undefined ? undefined : JSON.parse(text);
      return isJsonObject(entry) && entry.format === format && isProbe(entry.probe) ? entry.probe : undefined;
    } catch {
      return undefined; // the caller probes the agent again
    }
  }

  /** Writes a probe. Never rejects: without the cache, the next probe takes longer. */
  async write(path: string, args: readonly string[], probe: AgentProbe): Promise<void> {
    if (!probe.speaks) return;
    try {
      await writeAtomically(await this.#fileOf(path, args), JSON.stringify({ format, probe }));
    } catch {
      // The next call probes the agent again.
    }
  }

  async #fileOf(path: string, args: readonly string[]): Promise<string> {
    const real = await realpath(path);
    const { size, mtimeMs, ino, dev } = await stat(real);
    const identity = JSON.stringify([real, size, mtimeMs, ino, dev, args]);
    return join(this.#directory, `${createHash("sha256").update(identity).digest("hex").slice(0, 32)}.json`);
  }
}

function isProbe(value: unknown): value is Extract<AgentProbe, { speaks: true }> {
  return (
    isJsonObject(value) &&
    value.speaks === true &&
    typeof value.protocolVersion === "number" &&
    Array.isArray(value.authMethods) &&
    Array.isArray(value.leftBehind)
  );
}
