import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { filesBelow } from "@acp-kit/workspace-tests/sources";
import { describe, expect, it } from "vitest";

const read = (path: string): string => readFileSync(join(root, path), "utf8").replaceAll("\r\n", "\n");
const page = read("docs/guides/troubleshooting.md");

/** Returns the first cells of the table under a heading. */
function documented(heading: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, code = ""]) => code).sort();
}

/** Returns the members of a union of string literals, from its source. */
function union(path: string, name: string): string[] {
  const text = new RegExp(`export type ${name} =([^;]*);`).exec(read(path))?.[1] ?? "";
  return [...text.matchAll(/"(\w+)"/g)].map(([, code = ""]) => code).sort();
}

const sourcesOf = (name: string): string[] =>
  filesBelow(join(root, "packages", name, "src"))
    .filter((path) => path.endsWith(".ts") && !/\.(test|test-d|gen|examples)\.ts$/.test(path))
    .map((path) => read(`packages/${name}/src/${path}`));

describe("the tables of docs/guides/troubleshooting.md contain exactly the codes of:", () => {
  it.each([
    ["ConnectionError", "packages/jsonrpc/src/connection-error.ts", "ConnectionErrorCode"],
    ["ProcessError", "packages/stdio/src/node/process-error.ts", "ProcessErrorCode"],
    ["RemoteError", "packages/http/src/wire/remote-error.ts", "RemoteErrorCode"],
    ["EngineError", "packages/gateway/src/engine/engine-error.ts", "EngineErrorCode"],
    ["RegistryError", "packages/registry/src/node/errors.ts", "RegistryErrorCode"],
    ["StoreError", "packages/sessions/src/errors.ts", "StoreErrorCode"],
    ["File refusals", "packages/workspace/src/node/files/refusal.ts", "FileRefusalReason"],
    ["RecordingError", "packages/testing/src/recording/recording-error.ts", "RecordingErrorCode"],
  ])("%s", (heading, path, name) => {
    const codes = union(path, name);
    expect(codes.length).toBeGreaterThan(1);
    expect(documented(heading)).toEqual(codes);
  });

  it("RpcError", () => {
    const paths = ["packages/jsonrpc/src/error-code.ts", "packages/types/src/gen/v1/error-codes.gen.ts"];
    const codes = paths.flatMap((path) =>
      [...read(path).matchAll(/^ {2}\w+: (-\d+),$/gm)].map(([, code = ""]) => code),
    );
    expect(documented("RpcError")).toEqual([...new Set(codes)].sort());
  });

  it("other errors", () => {
    const classes = ["jsonrpc", "protocol", "types", "stdio", "agent", "client", "workspace", "sessions"].flatMap(
      (name) =>
        sourcesOf(name).flatMap((text) =>
          [...text.matchAll(/^export class (\w+) extends \w*Error\b/gm)].map(([, error = ""]) => error),
        ),
    );
    const withTables = ["ConnectionError", "ProcessError", "RpcError", "StoreError"];
    expect(documented("Other errors")).toEqual(classes.filter((name) => !withTables.includes(name)).sort());
  });

  it("diagnostics", () => {
    const reported = [
      ...["agent", "client", "protocol", "jsonrpc", "stdio", "sessions", "workspace", "ai-sdk", "mcp"],
    ].flatMap((name) =>
      sourcesOf(name).flatMap((text) =>
        [...text.matchAll(/\breport\((?:\{\s*code: )?"(\w+)"/g)].map(([, code = ""]) => code),
      ),
    );
    const codes = [...reported, ...union("packages/jsonrpc/src/diagnostic.ts", "DiagnosticCode")];
    expect(documented("Diagnostics")).toEqual([...new Set(codes)].sort());
  });
});
