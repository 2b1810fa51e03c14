import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/fixtures.js";
import { programOf } from "./npm-program.js";

/** The program of the package `@test/small` with this member `bin`, beside a file outside of the package. */
function programWith(bin: unknown): Promise<string> {
  const place = temporaryFolder();
  onTestFinished(() => place.remove());
  const root = join(place.path, "node_modules", "@test", "small");
  mkdirSync(join(root, "dist"), { recursive: true });
  for (const file of [join(root, "agent.js"), join(root, "dist", "index.js"), join(place.path, "evil.js")])
    writeFileSync(file, "");
  return programOf(place.path, "@test/small", { bin }, undefined);
}

it.each([
  "../../../evil.js",
  "../other/evil.js",
  "dist/../../evil.js",
  "..",
  ".",
  "",
  "/bin/sh",
  "..\\..\\evil.js",
  "dist",
  "missing.js",
  1,
  true,
  null,
  ["agent.js"],
  { small: 1 },
  { small: ["agent.js"] },
  { small: "../../evil.js" },
  { __proto__: "agent.js" },
  {},
])("a program that is not a file of its package is refused: %j", async (bin) => {
  await expect(programWith(bin)).rejects.toMatchObject({ name: "RegistryError", code: "no_distribution" });
});

it.each(["agent.js", { small: "agent.js", other: "dist/index.js" }, { other: "./agent.js" }])(
  "a program of the package is found: %j",
  async (bin) => {
    expect(await programWith(bin)).toBe(join("node_modules", "@test", "small", "agent.js"));
  },
);
