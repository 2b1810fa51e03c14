import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileUri } from "@acp-kit/client/internal";
import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attachFiles, maxEmbeddedBytes } from "./attach-files.js";
import { listFiles } from "./list-files.js";

let box: string;
let folder: string;
const all = { embeddedContext: true, image: true, audio: true };
const none = { embeddedContext: false, image: false, audio: false };
beforeAll(() => {
  box = mkdtempSync(join(realpathSync(tmpdir()), "acp-kit-attach-"));
  folder = join(box, "work");
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(box, "secret.txt"), "secret");
  writeFileSync(join(folder, "a.ts"), "let a;");
  writeFileSync(join(folder, "with space.md"), "# hi");
  writeFileSync(join(folder, "dot.png"), Buffer.from([1, 2, 3]));
  writeFileSync(join(folder, "binary"), Buffer.from([0xff, 0x00]));
  writeFileSync(join(folder, "large.txt"), "x".repeat(maxEmbeddedBytes + 1));
  if (process.platform !== "win32") symlinkSync(box, join(folder, "out"));
});
afterAll(() => rmSync(box, { recursive: true, force: true }));

const attached = (text: string, takes = all) => attachFiles(text, folder, takes).prompt.blocks.slice(1);

it("hostile.linear-text: a name of full stops is read in linear time", async () => {
  const attach = (size: number) => attachFiles(`@${".".repeat(size)}x`, folder, all);
  expect(attach(100_000).problems).toHaveLength(1);
  expect(await growthOf(attach)).toBeLessThan(LINEAR);
});

describe("files that are named in a prompt", () => {
  it("are embedded for agents that accept embedded files, and linked for other agents", () => {
    const uri = fileUri(join(folder, "a.ts"));
    const resource = { uri, text: "let a;", mimeType: "text/typescript" };
    expect(attachFiles("see @a.ts, please", folder, all).prompt.blocks).toEqual([
      { type: "text", text: "see @a.ts, please" },
      { type: "resource", resource },
    ]);
    expect(attached("@a.ts", none)).toEqual([
      { type: "resource_link", uri, name: "a.ts", mimeType: "text/typescript", size: 6 },
    ]);
  });

  it("may have spaces in their names if these are quoted, and are attached once", () => {
    expect(attached('@"with space.md" and @"with space.md"')).toHaveLength(1);
  });

  it("are attached as images if the agent accepts images, and as links if they are large, not text, or folders", () => {
    expect(attached("@dot.png")[0]).toMatchObject({ type: "image", mimeType: "image/png", data: "AQID" });
    for (const name of ["large.txt", "binary", "src"]) expect(attached(`@${name}`)[0]?.type).toBe("resource_link");
  });

  it("stay text if the file does not exist, and the problem is reported", () => {
    const { problems } = attachFiles("ask @someone about me@a.ts", folder, all);
    expect(problems).toEqual([expect.stringMatching(/^@someone is sent as text, because there is no such file/)]);
    expect(attached("ask @someone about me@a.ts")).toEqual([]);
  });

  it("are not attached if they are outside of the folder, also not through links", () => {
    const links = process.platform === "win32" ? [] : ["@out/secret.txt"];
    for (const name of ["@../secret.txt", ...links]) {
      const { prompt, problems } = attachFiles(name, folder, all);
      expect(prompt.blocks).toHaveLength(1);
      expect(problems[0]).toContain("outside of");
    }
  });
});

it("lists files only below the folder", () => {
  expect(listFiles(folder, "").map(({ text }) => text)).toEqual(expect.arrayContaining(["src/", "a.ts"]));
  expect(listFiles(folder, "A")).toEqual([{ text: "a.ts" }]);
  expect(listFiles(folder, "../")).toEqual([]);
  expect(listFiles(folder, "no/such/")).toEqual([]);
});
