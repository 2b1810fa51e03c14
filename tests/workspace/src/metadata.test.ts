import { readFileSync } from "node:fs";
import { join } from "node:path";
import { manifestText } from "@acp-kit/configs/metadata";
import { packages } from "@acp-kit/configs/packages";
import { describe, expect, it } from "vitest";

describe.each(packages())("$name", (project) => {
  const text = readFileSync(join(project.directory, "package.json"), "utf8").replaceAll("\r\n", "\n");

  it("has the project's metadata in its manifest (`pnpm metadata` writes it)", () => {
    expect(text).toBe(manifestText(project));
  });

  it("has a description with the full name of the protocol, because ACP is the abbreviation of two protocols", () => {
    expect(project.manifest.description).toMatch(/Agent Client Protocol/);
  });
});
