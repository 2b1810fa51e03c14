import type { FileHandle } from "node:fs/promises";
import { type FileSystem, nodeFileSystem } from "../src/node/files/file-system.js";

/**
 * Decides whether a call fails: returns the error code, or `undefined`. Calls are counted from 0. `args` are the
 * arguments of a call of a file handle.
 */
export type FaultPlan = (call: string, index: number, args: readonly unknown[]) => string | undefined;

/**
 * A file system whose calls fail when the {@link FaultPlan} returns an error code. A write that fails still writes half
 * of its bytes; a close that fails still closes the file.
 */
export interface FaultyFileSystem extends FileSystem {
  /** The names of all calls so far. */
  readonly calls: readonly string[];
  /** The number of calls that failed. */
  readonly faults: number;
}

export function faultyFileSystem(plan: FaultPlan): FaultyFileSystem {
  const calls: string[] = [];
  let faults = 0;
  const check = (call: string, args: readonly unknown[] = []): void => {
    const code = plan(call, calls.push(call) - 1, args);
    if (code === undefined) return;
    faults += 1;
    throw Object.assign(new Error(`${code}: ${call}`), { code });
  };
  const faultyHandle = (handle: FileHandle): FileHandle =>
    new Proxy(handle, {
      get(_, name) {
        const value: unknown = Reflect.get(handle, name);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]) => {
          try {
            if (HANDLE_CALLS.has(name)) check(`handle.${String(name)}`, args);
          } catch (error) {
            const [bytes] = args;
            if (name === "writeFile" && bytes instanceof Uint8Array)
              await handle.write(bytes.subarray(0, bytes.length / 2));
            if (name === "close") await handle.close();
            throw error;
          }
          return value.apply(handle, args);
        };
      },
    });
  const wrap =
    <Args extends unknown[], Result>(name: string, call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      check(name);
      return call(...args);
    };
  return {
    access: wrap("access", nodeFileSystem.access),
    link: wrap("link", nodeFileSystem.link),
    lstat: wrap("lstat", nodeFileSystem.lstat),
    open: wrap("open", async (path: string, flags: number, mode?: number) =>
      faultyHandle(await nodeFileSystem.open(path, flags, mode)),
    ),
    rename: wrap("rename", nodeFileSystem.rename),
    unlink: wrap("unlink", nodeFileSystem.unlink),
    get calls() {
      return calls;
    },
    get faults() {
      return faults;
    },
  };
}

const HANDLE_CALLS: ReadonlySet<string | symbol> = new Set([
  "chmod",
  "chown",
  "close",
  "read",
  "stat",
  "sync",
  "writeFile",
]);
