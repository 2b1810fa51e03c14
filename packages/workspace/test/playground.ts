import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { RpcError } from "@acp-kit/protocol";
import { expect, onTestFinished } from "vitest";
import type { WorkspaceContext } from "../src/node/workspace-context.js";
import { pathsBelow } from "./tree.js";

/**
 * A temporary directory, without links in its path: `work`, which an agent may use, beside `outside`, which it may not.
 * It is removed after the test.
 */
export interface Playground {
  readonly path: string;
  readonly work: string;
  readonly outside: string;
  /** Writes a file below `path`, and returns the path of the file. */
  file(name: string, content?: string | Uint8Array): string;
  content(name: string): string;
  /** Returns all entries of `outside` with their content, which must never change. */
  untouched(): Record<string, string>;
}

export function playground(): Playground {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-workspace-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const work = join(path, "work");
  const outside = join(path, "outside");
  mkdirSync(work);
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.txt"), "SECRET");
  return {
    path,
    work,
    outside,
    file(name, content = "") {
      const target = join(path, name);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
      return target;
    },
    content: (name) => readFileSync(join(path, name), "utf8"),
    untouched() {
      const entries = pathsBelow(outside).map(({ path, isFile }) => [join(outside, path), isFile] as const);
      return Object.fromEntries(
        entries.map(([each, isFile]) => [each, isFile ? readFileSync(each, "utf8") : "(no file)"]),
      );
    },
  };
}

/** The context that a client passes to handlers for a session that works in `roots`. */
export function contextOf(...roots: string[]): WorkspaceContext {
  return { session: { sessionId: "s1", roots }, signal: new AbortController().signal };
}

/** Returns the error with which a promise rejects, which must be an `RpcError`. */
export async function errorOf(action: Promise<unknown>): Promise<{ code: number; reason: unknown; message: string }> {
  const error = await action.then(
    (value) => expect.fail(`expected an error, got ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RpcError)) throw error;
  return { code: error.code, message: error.message, reason: (error.data as { reason?: unknown } | undefined)?.reason };
}
