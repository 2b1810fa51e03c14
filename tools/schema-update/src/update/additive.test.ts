import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryCopy } from "../fixtures/repository-copy.js";
import { readManifest, slots } from "../manifest.js";
import { readSchemaFile, type Source } from "../source/schema-file.js";
import { updateSchema } from "./update.js";

type Definitions = Record<string, Record<string, unknown>>;

/** The test files that compare tables with the schema, or its types with the SDK's. An additive schema made them fail before. */
const concerned = [
  "packages/conformance/src/agent/coverage.test.ts",
  "packages/conformance/src/client/known-members.test.ts",
  "packages/conformance/src/requirements/quotes.test.ts",
  "packages/types/src/decode.test.ts",
  "tests/types/src/sdk-methods.test.ts",
  "tests/types/src/sdk-types.test.ts",
  "tools/codegen/src/complete-gates.test.ts",
  "tools/codegen/src/gate-lines.test.ts",
];

/** Copies part of a schema under other names. */
function renamed<T>(part: T, names: Readonly<Record<string, string>>): T {
  const text = Object.entries(names).reduce((all, [from, to]) => all.replaceAll(from, to), JSON.stringify(part));
  return JSON.parse(text) as T;
}

/**
 * Adds a method with its capability and an optional member, as a release of the protocol would. It adds no variant to a union: older peers
 * reject a new variant, so a person decides when it may be sent.
 */
function addTo(definitions: Definitions): void {
  const rename = { ResumeSession: "RenameSession", SessionResume: "SessionRename", "session/resume": "session/rename" };
  const capability = { "sessionCapabilities.resume": "sessionCapabilities.rename" };
  for (const name of ["ResumeSessionRequest", "ResumeSessionResponse", "SessionResumeCapabilities"])
    definitions[renamed(name, rename)] = renamed(definitions[name] ?? {}, { ...rename, ...capability });
  const capabilities = definitions.SessionCapabilities?.properties as Record<string, unknown>;
  capabilities.rename = renamed(capabilities.resume, rename);
  for (const envelope of ["ClientRequest", "AgentResponse"])
    definitions[envelope] = withCopies(definitions[envelope] ?? {}, "ResumeSession", { ...rename, ...capability });

  Object.assign(definitions.ListSessionsRequest?.properties ?? {}, {
    filter: { description: "Words that the title contains.", type: ["string", "null"] },
  });
}

/** Copies a schema; each alternative that mentions the word is repeated under other names. */
function withCopies<T>(schema: T, word: string, names: Readonly<Record<string, string>>): T {
  const isAbout = (one: unknown): boolean => {
    const text = JSON.stringify(one);
    return text.includes(word) && (text.match(/"\$ref"/g) ?? []).length === 1;
  };
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      (key === "anyOf" || key === "oneOf") && Array.isArray(value) && value.some(isAbout)
        ? value.flatMap((one) => (isAbout(one) ? [one, renamed(one, names)] : [one]))
        : value,
    ),
  ) as T;
}

/** Creates the release after the vendored one: its files, with additions to version 1. */
function nextRelease(root: string): Source {
  const manifest = readManifest(root);
  const paths = slots.map(({ path }) => `schema/${path}`);
  const files = paths.map((path) => {
    const document = JSON.parse(readFileSync(join(root, path), "utf8")) as { $defs: Definitions };
    if (path.startsWith("schema/v1/")) addTo(document.$defs);
    return readSchemaFile(path, new TextEncoder().encode(JSON.stringify(document)), paths);
  });
  const [name, version] = [manifest?.package ?? "", "99.0.0"];
  return {
    label: `${name} ${version}`,
    origin: `npm:${name}@${version}`,
    package: name,
    version,
    license: "Apache-2.0",
    files,
  };
}

function run(root: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, FORCE_COLOR: "0" },
  });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

// The type check of the whole workspace takes minutes, so this test skips it.
test.skipIf(process.platform === "win32")(
  "one command adopts a release with a new method, its capability and an optional member, and the tests pass",
  { timeout: 300_000 },
  async () => {
    using copy = repositoryCopy();
    const { root } = copy;
    const tsx = join(root, "tools/codegen/node_modules/tsx/dist/cli.mjs");
    const result = await updateSchema(nextRelease(root), {
      root,
      steps: {
        generate: async () => expect(run(root, [tsx, "tools/codegen/src/cli.ts"])).toBe(""),
        typecheck: async () => undefined,
      },
    });
    expect(result).toMatchObject({ status: "updated", unfinished: undefined, diff: { class: "additive" } });
    const written = result.written.join("\n");
    for (const path of [
      "types/src/gen/v1/types.gen.ts",
      "types/src/gen/v1/methods.gen.ts",
      "conformance/src/gen/v1/members.gen.ts",
    ])
      expect(written).toContain(`packages/${path}`);
    const members = readFileSync(join(root, "packages/conformance/src/gen/v1/members.gen.ts"), "utf8");
    expect(members).toContain('"session/rename": [');
    expect(members).toContain('"session/list": ["cursor", "cwd", "filter"]');
    expect(run(root, ["node_modules/vitest/vitest.mjs", "run", ...concerned])).toBe("");
  },
);
