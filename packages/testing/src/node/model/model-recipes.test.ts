import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { agentsWithoutRecipe, modelRecipeFor, modelRecipes, modelSetup } from "./model-recipes.js";

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
  [["npx", "--yes", "@agentclientprotocol/codex-acp@2.6.0"], "Codex"],
  [["npx", "--yes", "@github/copilot@1.0.102", "--acp"], "GitHub Copilot"],
  [["npx", "--yes", "@xai-official/grok@1.0.41", "agent", "stdio"], "Grok Build"],
  [["./vibe-acp"], "Mistral Vibe"],
  [["npx", "--yes", "pi-acp@0.0.34"], "pi"],
  [["npx", "--yes", "droid@0.215.0", "exec"], "Factory Droid"],
  [["npx", "--yes", "cline@3.0.65", "--acp"], "Cline"],
  [["npx", "--yes", "@kilocode/cli@7.8.1", "acp"], "Kilo"],
  [["node", "my-agent.js"], undefined],
] as const)("%s is %s", (command, name) => {
  expect(modelRecipeFor(command)?.name).toBe(name);
});

it("each agent of the registry has a recipe, or a reason why it has none", () => {
  const text = readFileSync(new URL("../../../../registry/src/node/catalog/snapshot.json", import.meta.url), "utf8");
  const { registry } = JSON.parse(text) as { readonly registry: { readonly agents: readonly RegistryAgent[] } };
  const reasons = new Map(agentsWithoutRecipe.map(({ id, because }) => [id, because]));
  for (const { id, distribution } of registry.agents) {
    const { npx, uvx, binary } = distribution;
    const [native] = Object.values(binary ?? {});
    const recipe = modelRecipeFor([npx?.package ?? uvx?.package ?? native?.cmd ?? id]);
    expect([recipe === undefined, reasons.has(id)], id).toEqual(recipe ? [false, false] : [true, true]);
  }
  const known = new Set(registry.agents.map(({ id }) => id));
  expect([...reasons.keys()].filter((id) => !known.has(id))).toEqual([]);
});

interface RegistryAgent {
  readonly id: string;
  readonly distribution: {
    readonly npx?: { readonly package: string };
    readonly uvx?: { readonly package: string };
    readonly binary?: Readonly<Record<string, { readonly cmd: string }>>;
  };
}
