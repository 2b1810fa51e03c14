import { readFileSync } from "node:fs";
import { join } from "node:path";
import { manifestText } from "@acp-kit/configs/metadata";
import { packages } from "@acp-kit/configs/packages";
import { describe, expect, it } from "vitest";

describe.each(packages())("$name", (project) => {
  const text = readFileSync(join(project.directory, "package.json"), "utf8").replaceAll("\r\n", "\n");

  it("says in its manifest where it comes from (`pnpm metadata` writes it)", () => {
    expect(text).toBe(manifestText(project));
  });

  it("describes itself, and names the protocol in full, because ACP stands for two", () => {
    expect(project.manifest.description).toMatch(/Agent Client Protocol/);
  });
});
