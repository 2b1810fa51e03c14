import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { modelRecipeFor, modelSetup } from "@acp-kit/testing/model";
import type { AgentCommand } from "../agent-argument.js";
import type { Host } from "../host.js";

/** What a known agent needs besides the usual variables, to talk to the scripted model. */
export interface PreparedRecipe extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly authMethod?: string;
  /** A folder with the files of its home; `undefined` where it needs none. */
  readonly home?: string;
}

/** Points a known agent to the model at `url`: prepares its variables and files, and names the agent on standard error. `undefined` for an unknown command. The files are removed at the end. */
export function modelRecipe(host: Host, { command, args }: AgentCommand, url: string): PreparedRecipe | undefined {
  const recipe = modelRecipeFor([command, ...args]);
  if (!recipe) return undefined;
  const { env, files } = modelSetup(recipe, url);
  const { authMethod } = recipe;
  host.stderr.line(`--model fake: as ${recipe.name} takes it, see ${recipe.source}`);
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
