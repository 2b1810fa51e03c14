import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { document } from "../test/cases/case.js";
import { adoptedTree } from "../test/fixtures/adopted.js";
import { type TemporaryTree, temporaryTree } from "../test/fixtures/tree.js";
import { runDiff } from "./diff-command.js";
import { runUpdate } from "./update-command.js";

let out = "";
let err = "";
beforeEach(() => {
  out = "";
  err = "";
  vi.spyOn(console, "log").mockImplementation((text: string) => {
    out += `${text}\n`;
  });
  vi.spyOn(console, "error").mockImplementation((text: string) => {
    err += `${text}\n`;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const method = { type: "object", "x-method": "a", "x-side": "agent" };
const before = document({ ARequest: method, AResponse: method });
const after = document({ ARequest: { ...method, properties: { id: { type: "string" } } }, AResponse: method });

function twoFiles(): TemporaryTree {
  return temporaryTree({ "before.json": JSON.stringify(before), "after.json": JSON.stringify(after) });
}

describe("schema:diff", () => {
  it("prints the report, and writes it to the given file", async () => {
    using tree = twoFiles();
    expect(await runDiff(["before.json", "after.json", "--report", "report.md"], tree.root)).toBe(0);
    expect(out).toContain("- `ARequest.id` is new and optional (client → agent)");
    expect(out.trimEnd()).toBe(readFileSync(join(tree.root, "report.md"), "utf8").trimEnd());
  });

  it("prints JSON with --json", async () => {
    using tree = twoFiles();
    expect(await runDiff(["before.json", "after.json", "--json"], tree.root)).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      effect: "additive",
      schemas: [
        {
          differences: [
            { effect: "additive", path: "ARequest.id", directions: ["client → agent"] },
            { effect: "additive", code: "export-changed", path: "ARequest" },
          ],
        },
      ],
    });
  });

  it.each([
    ["additive", 1],
    ["documentation", 1],
    ["breaking", 0],
  ])("exits for --fail-on %s with %i", async (limit, code) => {
    using tree = twoFiles();
    expect(await runDiff(["before.json", "after.json", "--fail-on", limit], tree.root)).toBe(code);
  });

  it("exits with 0 if nothing changed", async () => {
    using tree = twoFiles();
    expect(await runDiff(["before.json", "before.json", "--fail-on", "documentation"], tree.root)).toBe(0);
    expect(out).toContain("**No change.**");
  });

  it.each([
    [[], /needs exactly two sources/],
    [["before.json"], /needs exactly two sources/],
    [["before.json", "nothing.json"], /"nothing\.json" is neither a file/],
    [["before.json", "after.json", "--fail-on", "soon"], /--fail-on takes one of: breaking, api, additive/],
    [["--unknown"], /Unknown option/],
  ])("reports a wrong command line and exits with 2: %j", async (args, message) => {
    using tree = twoFiles();
    expect(await runDiff(args, tree.root)).toBe(2);
    expect(err).toMatch(message);
  });

  it("resolves paths against the user's directory", () => {
    using tree = twoFiles();
    const home = fileURLToPath(new URL("..", import.meta.url));
    const { status, stdout } = spawnSync(
      process.execPath,
      ["--import", "tsx", "src/cli.ts", "diff", "before.json", "after.json"],
      {
        cwd: home,
        env: { ...process.env, INIT_CWD: tree.root },
        encoding: "utf8",
      },
    );
    expect(stdout).toContain("# Schema: before.json → after.json");
    expect(status).toBe(0);
  });
});

describe("schema:update", () => {
  const repository = adoptedTree;

  it("--check fails if no code was generated from the current schema", async () => {
    using tree = repository("2.3.0");
    tree.write("packages/types/src/gen/v1/schema/types.gen.ts", "// Generated\n// From elsewhere\n// sha256 0\n");
    expect(await runUpdate([tree.root, "--check"], "/", tree.root)).toBe(1);
    expect(out).toContain("is in the tree, but nothing has been generated from v1/schema.json.");
  });

  it("--check reports whether the schema is current, and writes nothing", async () => {
    using old = repository("2.2.0");
    using now = repository("2.3.0");
    const files = old.files();
    expect(await runUpdate([now.root, "--check"], "/", old.root)).toBe(1);
    expect(out).toContain("Not current: @agentclientprotocol/sdk 2.2.0 →");
    expect(out).toContain("Additive in v2, v1 unstable and v2 unstable; v1: documentation.");
    expect(await runUpdate([now.root, "--check"], "/", now.root)).toBe(0);
    expect(out).toContain("Nothing to do");
    expect(old.files()).toEqual(files);
  });

  it("shows report and changeset on a dry run, also as JSON", async () => {
    using old = repository("2.2.0");
    using now = repository("2.3.0");
    expect(await runUpdate([now.root, "--dry-run"], "/", old.root)).toBe(0);
    expect(out).toContain("Would write (and generate):");
    expect(out).toContain('"@acp-kit/schema": minor');
    out = "";
    expect(await runUpdate([now.root, "--dry-run", "--json"], "/", old.root)).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      status: "planned",
      bumps: { "@acp-kit/schema": "minor" },
      diff: { effect: "additive" },
    });
  });

  it("reports the failed step, exits with 2 and leaves the tree unchanged", async () => {
    // Without package.json, the generator's script can't be found.
    using old = repository("2.2.0");
    using now = repository("2.3.0");
    const files = old.files();
    expect(await runUpdate([now.root], "/", old.root)).toBe(2);
    expect(err).toContain(
      "schema:update: the new schema could not be adopted; the tree is unchanged. pnpm generate failed:",
    );
    expect(old.files()).toEqual(files);
  });

  /** The schema of 2.3.0 with one more required member in v1. */
  function breakingSource(): TemporaryTree {
    const tree = repository("2.3.0");
    const path = join(tree.root, "schema/v1/schema.json");
    const document = JSON.parse(readFileSync(path, "utf8")) as { $defs: { ListSessionsRequest: object } };
    Object.assign(document.$defs.ListSessionsRequest, { required: ["cursor"] });
    tree.write("schema/v1/schema.json", JSON.stringify(document));
    return tree;
  }

  it("for a schema that breaks stable v1, lists the decisions, exits with 2 and leaves the tree unchanged", async () => {
    using old = repository("2.3.0");
    using now = breakingSource();
    const files = old.files();
    expect(await runUpdate([now.root], "/", old.root)).toBe(2);
    expect(err).toContain("the new schema needs decisions and was not adopted; the tree is unchanged.\n\n1. `List");
    expect(err).toContain(
      "1. `ListSessionsRequest.cursor` is required now; clients have to send it.\n   What do the pack",
    );
    expect(err).toContain("then run this command again with `--decided`");
    expect(await runUpdate([now.root, "--dry-run"], "/", old.root)).toBe(0);
    expect(out).toContain("## Decisions");
    expect(out).toContain("An update with this schema stops unless it is run with --decided");
    expect(old.files()).toEqual(files);
  });

  it("continues with the generator if the decisions have been made", async () => {
    // Without package.json, the generator's script can't be found.
    using old = repository("2.3.0");
    using now = breakingSource();
    expect(await runUpdate([now.root, "--decided"], "/", old.root)).toBe(2);
    expect(err).toContain("pnpm generate failed:");
  });

  it("keeps a breaking schema on --keep, and exits with 1", async () => {
    using old = repository("2.3.0");
    using now = breakingSource();
    expect(await runUpdate([now.root, "--keep"], "/", old.root)).toBe(1);
    expect(out).toContain("Kept, but unfinished: the decisions about the schema have not been made (--decided).");
    expect(readFileSync(join(old.root, "schema/REPORT.md"), "utf8")).toContain("## Decisions");
    out = "";
    expect(await runUpdate([now.root, "--check"], "/", old.root)).toBe(1);
    expect(out).toContain("the decisions about the schema have not been made (--decided)");
    expect(await runUpdate([now.root], "/", old.root)).toBe(2);
    expect(err).toContain("The schema in the tree was kept before its decisions were made");
  });

  it.each([
    [["here", "there"], /takes one source/],
    [["nowhere"], /"nowhere" is neither a file/],
  ])("reports a wrong command line and exits with 2: %j", async (args, message) => {
    using old = repository("2.3.0");
    expect(await runUpdate(args, "/", old.root)).toBe(2);
    expect(err).toMatch(message);
  });
});
