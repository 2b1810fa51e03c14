import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RepositoryCopy, repositoryCopy } from "../../test/fixtures/repository-copy.js";
import { readManifest, slots } from "../manifest.js";
import { readSchemaFile, type Source } from "../source/schema-file.js";
import { DecisionsError } from "./decisions.js";
import { updateSchema } from "./update.js";

type Definitions = Record<string, Record<string, unknown>>;

/**
 * The test files that compare tables with the schema, or its types with the SDK's. An additive schema made them fail
 * before.
 */
const concerned = [
  "packages/conformance/src/agent/coverage.test.ts",
  "packages/conformance/src/client/known-members.test.ts",
  "packages/conformance/src/requirements/specification.test.ts",
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
 * Adds a method with its capability and an optional member, as a release of the protocol would. It adds no variant to a
 * union: older peers reject a new variant, so a person decides when it may be sent.
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

/**
 * Moves subagents and the system prompt from the unstable to the stable schema, as upstream may do: capabilities,
 * members, variants of an update, and every definition that they need.
 */
function stabilise(stable: Definitions, unstable: Definitions): void {
  const membersOf = (definitions: Definitions, name: string) =>
    definitions[name]?.properties as Record<string, unknown>;
  for (const [name, member] of [
    ["ClientCapabilities", "subagents"],
    ["SessionCapabilities", "systemPrompt"],
    ["NewSessionRequest", "systemPrompt"],
    ["LoadSessionRequest", "systemPrompt"],
    ["ResumeSessionRequest", "systemPrompt"],
  ] as const)
    membersOf(stable, name)[member] = membersOf(unstable, name)[member];
  const tag = /"const":"(subagent_update|session_message|session_message_chunk)"/;
  const updates = (definitions: Definitions) => definitions.SessionUpdate?.oneOf as object[];
  const moved = updates(unstable).filter((one) => tag.test(JSON.stringify(one)));
  expect(moved).toHaveLength(3);
  updates(stable).push(...moved);
  for (let missing: string[] = [""]; missing.length > 0; ) {
    const names = [...JSON.stringify(stable).matchAll(/#\/\$defs\/(\w+)/g)].map(([, name = ""]) => name);
    missing = [...new Set(names)].filter((name) => stable[name] === undefined);
    for (const name of missing) stable[name] = unstable[name] ?? {};
  }
}

/** Creates the release after the adopted one: its files, with an edit of the definitions of version 1. */
function nextRelease(
  root: string,
  version: string,
  edit: (stable: Definitions, unstable: Definitions) => void,
): Source {
  const name = readManifest(root)?.package ?? "";
  const paths = slots.map(({ path }) => `schema/${path}`);
  const documents = paths.map((path) => JSON.parse(readFileSync(join(root, path), "utf8")) as { $defs: Definitions });
  edit(documents[0]?.$defs ?? {}, documents[1]?.$defs ?? {});
  const files = paths.map((path, index) =>
    readSchemaFile(path, new TextEncoder().encode(JSON.stringify(documents[index])), paths),
  );
  const about = { package: name, version, license: "Apache-2.0" };
  return { label: `${name} ${version}`, origin: `npm:${name}@${version}`, ...about, files };
}

function run(root: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, FORCE_COLOR: "0" },
  });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

describe.skipIf(process.platform === "win32")("a copy of this repository", { timeout: 900_000 }, () => {
  let copy: RepositoryCopy;
  beforeAll(() => {
    copy = repositoryCopy();
  }, 300_000);
  afterAll(() => copy[Symbol.dispose](), 300_000);

  const generate = async (root: string): Promise<void> => {
    const tsx = join(root, "tools/codegen/node_modules/tsx/dist/cli.mjs");
    expect(run(root, [tsx, "tools/codegen/src/cli.ts"])).toBe("");
  };
  /** Checks the projects that are closest to the schema, because the whole workspace takes minutes. */
  const typecheck = async (root: string): Promise<void> => {
    const projects = ["packages/types", "packages/schema", "packages/client/tsconfig.lib.json"];
    expect(run(root, ["node_modules/typescript/bin/tsc", "-b", "--checkers", "1", ...projects])).toBe("");
  };

  test("adopts a new method, its capability and an optional member in one command, and its tests pass", async () => {
    const { root } = copy;
    const source = nextRelease(root, "99.0.0", (stable, unstable) => {
      for (const definitions of [stable, unstable]) addTo(definitions);
    });
    const result = await updateSchema(source, { root, steps: { generate, typecheck: async () => undefined } });
    expect(result).toMatchObject({ status: "updated", unfinished: undefined, diff: { effect: "additive" } });
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
  });

  test("names the decisions before any work if unstable parts become stable, and after them is green", async () => {
    const { root } = copy;
    const source = nextRelease(root, "99.1.0", stabilise);
    const never = async (): Promise<never> => Promise.reject(new Error("nothing is written yet"));
    const failure = await updateSchema(source, { root, steps: { generate: never, typecheck: never } }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(DecisionsError);
    const { decisions } = failure as DecisionsError;
    expect(decisions.generator).toEqual([]);
    expect(decisions.code.map(({ what }) => what)).toEqual([
      "`SessionUpdate(session_message)`, `SessionUpdate(session_message_chunk)`, `SessionUpdate(subagent_update)`: each is a new variant",
    ]);
    const builder = "packages/client/src/transcript/transcript-builder.ts";
    const types = "packages/schema/src/types.test-d.ts";
    const files = decisions.code.flatMap(({ places }) => places).map((place) => place.replace(/:[\d,]+$/, ""));
    expect(files).toEqual(expect.arrayContaining([builder, types, "packages/conformance/src/agent/schema-watch.ts"]));

    const tags = ["subagent_update", "session_message", "session_message_chunk"];
    const cases = tags.map((tag) => `case "${tag}":\n`).join("");
    for (const [path, before, decided] of [
      [builder, "default:\n        if (this.#extension", `${cases}break;\n`],
      [types, "default:\n      assertNever(update);", `${cases}return;\n`],
    ] as const) {
      const text = readFileSync(join(root, path), "utf8");
      expect(text).toContain(before);
      writeFileSync(join(root, path), text.replace(before, `${decided}${before}`));
    }
    const result = await updateSchema(source, { root, steps: { generate, typecheck }, decided: true });
    expect(result).toMatchObject({ status: "updated", unfinished: undefined, diff: { effect: "additive" } });
    // The gates of the unstable schema hold for the parts that are stable now.
    const capabilities = readFileSync(join(root, "packages/types/src/gen/v1/capabilities.gen.ts"), "utf8");
    expect(capabilities).toContain('"sessionCapabilities.systemPrompt": "marker"');
    expect(capabilities).toMatch(/variant: "subagent_update", capability: "client\.subagents"/);
  });
});
