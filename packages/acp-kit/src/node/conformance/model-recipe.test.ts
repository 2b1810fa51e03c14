import { readFileSync } from "node:fs";
import { agentsWithoutRecipe, modelRecipes } from "@acp-kit/testing/model";
import { expect, it } from "vitest";

it("the guide lists the agents with a recipe, those with a tried one first", () => {
  const url = new URL("../../../../../docs/guides/conformance-in-ci.md", import.meta.url);
  const guide = readFileSync(url, "utf8").replaceAll("\n", " ");
  const names = (isTried: boolean): string =>
    modelRecipes.flatMap(({ name, verified }) => ((verified !== undefined) === isTried ? [name] : [])).join(", ");
  expect(guide).toContain(`${names(true)} (tried); ${names(false)} (from their documentation).`);
  const [last, ...others] = agentsWithoutRecipe.map(({ id }) => id).reverse();
  expect(guide).toContain(`no settings for ${others.reverse().join(", ")} and ${last}`);
});
