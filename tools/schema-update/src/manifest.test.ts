import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { formatManifest, readManifest } from "./manifest.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

describe("the manifest", () => {
  it("is written exactly as in the repository", () => {
    const text = readFileSync(join(root, "schema/manifest.json"), "utf8");
    const manifest = readManifest(root);
    expect(manifest && formatManifest(manifest)).toBe(text);
  });
});
