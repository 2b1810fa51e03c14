import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { expect, it, onTestFinished } from "vitest";
import { type Block, blocksOf } from "./blocks.js";
import { documents } from "./documents.js";

// A newcomer pastes the first code into a file without a build. Node 20 is the oldest version that the packages
// support.

const read = (document: string): string => readFileSync(join(root, document), "utf8");

/** Writes code into a module of plain JavaScript, and returns its path. */
function pasted(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-pasted-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "pasted.mjs");
  writeFileSync(path, code);
  return path;
}

it.each(["README.md", "packages/client/README.md", "docs/guides/getting-started.md"])(
  "the first client of %s is plain JavaScript that Node 20 can read",
  (document) => {
    const client = blocksOf(read(document)).find(({ text }) => text.includes("connectAgent(spawnAgent"))?.text ?? "";
    expect(client).toContain("agent.newSession");
    expect(client).not.toContain("await using"); // newer versions of Node can read it
    execFileSync(process.execPath, ["--check", pasted(client)]);
  },
);

const languages: readonly string[] = ["ts", "tsx", "js", "jsx"];
const firstCode = ({ text }: { readonly text: string }): Block | undefined =>
  blocksOf(text).find(({ language }) => languages.includes(language));

/** Returns the last paragraph before a block. */
function paragraphBefore(text: string, { line, file }: Block): string {
  const fence = file === undefined ? line : line - 1; // a comment names the file
  const lines = text.split("\n").slice(0, fence - 1);
  return lines.join("\n").trim().split("\n\n").at(-1) ?? "";
}

const introductions = documents().filter(({ path }) =>
  /^(packages\/[^/]+\/README|docs\/guides\/[^/]+)\.md$/.test(path),
);

it("finds the first code of the READMEs and guides, with the paragraph before it", () => {
  const text = "# A\n\nIn TypeScript,\nas usual:\n\n```ts\nlet a: 1;\n```\n";
  expect(paragraphBefore(text, firstCode({ text }) as Block)).toBe("In TypeScript,\nas usual:");
  expect(introductions.filter(firstCode).length).toBeGreaterThan(30);
});

it.each(introductions.filter(firstCode))(
  "the first code of $path is JavaScript that Node 20 can read, or is introduced as TypeScript",
  ({ text }) => {
    const block = firstCode({ text }) as Block;
    expect(block.text).not.toContain("await using"); // newer versions of Node can read it
    const { status, stderr } = spawnSync(process.execPath, ["--check", pasted(block.text)], { encoding: "utf8" });
    if (status !== 0) expect(paragraphBefore(text, block), stderr).toMatch(/\b(TypeScript|JSX)\b/);
  },
);
