import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../catalog/decode-members.js";
import { readBounded } from "../files/read-bounded.js";
import { writeAtomically } from "../files/write-atomically.js";
import type { AgentProbe } from "./probe-agent.js";

const maxBytes = 65_536;
const format = 1;

/**
 * Probes that were made before, by the identity of the program's file: its real path, size, time and inode. A program that was updated is
 * another one. Failed probes are not kept, because their reason may have passed.
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
      return isObject(entry) && entry.format === format && isProbe(entry.probe) ? entry.probe : undefined;
    } catch {
      return undefined; // it is probed again
    }
  }

  /** Never rejects: a cache that can't be written costs only time. */
  async write(path: string, args: readonly string[], probe: AgentProbe): Promise<void> {
    if (!probe.speaks) return;
    try {
      await writeAtomically(await this.#fileOf(path, args), JSON.stringify({ format, probe }));
    } catch {
      // The next probe takes as long as this one.
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
    isObject(value) &&
    value.speaks === true &&
    typeof value.protocolVersion === "number" &&
    Array.isArray(value.authMethods) &&
    Array.isArray(value.leftBehind)
  );
}
