import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { modelRecipeFor, modelSetup } from "@acp-kit/testing/model";
import type { AgentCommand } from "../agent-target.js";
import type { Host } from "../host.js";

/** Variables and files that make a known agent use the scripted model, beside the `env` of its server. */
export interface PreparedRecipe extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly authMethod?: string;
  /** A folder with files for the agent's home; `undefined` if the agent needs none. */
  readonly home?: string;
}

/**
 * Prepares the variables and files that make a known agent use the model at `url`. Prints the agent's name on standard
 * error. Returns `undefined` for an unknown command. When the result is disposed, the files are removed.
 */
export function modelRecipe(host: Host, { command, args }: AgentCommand, url: string): PreparedRecipe | undefined {
  const recipe = modelRecipeFor([command, ...args]);
  if (!recipe) return undefined;
  const { env, files } = modelSetup(recipe, url);
  const { authMethod } = recipe;
  host.stderr.line(`--model fake: uses the variables and files of ${recipe.name} (source: ${recipe.source})`);
  const names = Object.keys(files);
  const home = names.length === 0 ? undefined : mkdtempSync(join(tmpdir(), "acp-kit-home-"));
  for (const [name, text] of Object.entries(files)) {
    const file = join(home ?? "", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return {
    env,
    ...(authMethod !== undefined && { authMethod }),
    ...(home !== undefined && { home }),
    async [Symbol.asyncDispose]() {
      if (home !== undefined) await rm(home, { recursive: true, force: true });
    },
  };
}
