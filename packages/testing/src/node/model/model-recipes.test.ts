import { expect, it } from "vitest";
import { modelRecipeFor, modelRecipes, modelSetup } from "./model-recipes.js";

it("each recipe names its agent, its source, and the address of the model", () => {
  for (const recipe of modelRecipes) {
    const { env, files } = modelSetup(recipe, "http://127.0.0.1:8123");
    expect(recipe.source, recipe.name).toMatch(/^https:\/\//);
    expect(JSON.stringify([env, files]), recipe.name).toContain("http://127.0.0.1:8123");
    expect(JSON.stringify([env, files]), recipe.name).not.toContain("{url}");
  }
});

it.each([
  [["npx", "--yes", "@agentclientprotocol/claude-agent-acp@0.100.0"], "Claude Agent"],
  [["/opt/node_modules/opencode-linux-x64/bin/opencode", "acp"], "OpenCode"],
  [["node", "/agents/node_modules/@google/gemini-cli/dist/index.js", "--acp"], "Gemini CLI"],
  [["goose.exe", "acp"], "goose"],
  [["node", "my-agent.js"], undefined],
] as const)("%s is %s", (command, name) => {
  expect(modelRecipeFor(command)?.name).toBe(name);
});
