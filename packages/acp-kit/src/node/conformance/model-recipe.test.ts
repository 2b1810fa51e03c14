import { readFileSync } from "node:fs";
import { agentsWithoutRecipe, modelRecipes } from "@acp-kit/testing/model";
import { expect, it } from "vitest";

it("the guide lists the current recipes", () => {
  const guide = readFileSync(new URL("../../../../../docs/guides/conformance-in-ci.md", import.meta.url), "utf8");
  for (const { name, env = {}, files = {}, authMethod, source, verified } of modelRecipes) {
    const variables = Object.keys(env).map((variable) => `\`${variable}\``);
    const more = [
      ...Object.keys(files).map((file) => `\`${file}\``),
      ...(authMethod ? [`login \`${authMethod}\``] : []),
    ];
    const cells = [
      name,
      variables.join(", ") || "–",
      more.join(", ") || "–",
      verified ? `${verified.version}, ${verified.date}` : "not tried",
      `[documentation](${source})`,
    ];
    expect(guide).toContain(`| ${cells.join(" | ")} |\n`);
  }
  for (const { id, because } of agentsWithoutRecipe) expect(guide).toContain(`| ${id} | ${because} |\n`);
});
