/** How one agent takes the address of its model. In texts, `{url}` is the address of the server, without a path. */
export interface ModelRecipe {
  /** The agent's name, for display. */
  readonly name: string;
  /** The names of its programs and packages: one of them is in its command. */
  readonly programs: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files below its home, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** The login method that uses the key of the environment. */
  readonly authMethod?: string;
  /** Where it is documented. */
  readonly source: string;
  /** The version of the agent that ran with the recipe, and when; none: the recipe comes from the documentation alone. */
  readonly verified?: { readonly version: string; readonly date: string };
}

const openCodeConfig = {
  autoupdate: false,
  share: "disabled",
  model: "fake/fake-model",
  small_model: "fake/fake-model",
  enabled_providers: ["fake"],
  provider: {
    fake: {
      npm: "@ai-sdk/openai-compatible",
      name: "Fake",
      options: { baseURL: "{url}/v1", apiKey: "fake-key" },
      models: { "fake-model": { name: "Fake", tool_call: true, limit: { context: 200_000, output: 8_000 } } },
    },
  },
  permission: { edit: "ask", bash: "ask" },
};

/** How agents of the public registry take the address of a model, each with its source. */
export const modelRecipes: readonly ModelRecipe[] = [
  {
    name: "Claude Agent",
    programs: ["claude-agent-acp", "claude-code-acp"],
    env: {
      ANTHROPIC_BASE_URL: "{url}",
      ANTHROPIC_API_KEY: "fake-key",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // Without it, the agent opens no session for root, which CI in a container is.
      IS_SANDBOX: "1",
    },
    source: "https://code.claude.com/docs/en/llm-gateway",
    verified: { version: "0.100.0", date: "2026-11-22" },
  },
  {
    name: "Gemini CLI",
    programs: ["gemini", "gemini-cli"],
    env: { GOOGLE_GEMINI_BASE_URL: "{url}", GEMINI_API_KEY: "fake-key" },
    authMethod: "gemini-api-key",
    source: "https://geminicli.com/docs/get-started/configuration",
    verified: { version: "0.61.0", date: "2026-11-22" },
  },
  {
    name: "OpenCode",
    programs: ["opencode", "opencode-ai"],
    env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
    files: { ".config/opencode/opencode.json": JSON.stringify(openCodeConfig, undefined, 2) },
    source: "https://opencode.ai/docs/providers",
    verified: { version: "1.18.33", date: "2026-11-22" },
  },
  {
    name: "goose",
    programs: ["goose"],
    env: { GOOSE_PROVIDER: "openai", GOOSE_MODEL: "fake-model", OPENAI_HOST: "{url}", OPENAI_API_KEY: "fake-key" },
    source: "https://github.com/aaif-goose/goose/blob/main/documentation/docs/guides/environment-variables.md",
  },
  {
    name: "Qwen Code",
    programs: ["qwen", "qwen-code"],
    env: { OPENAI_BASE_URL: "{url}/v1", OPENAI_API_KEY: "fake-key", OPENAI_MODEL: "fake-model" },
    authMethod: "openai",
    source: "https://qwenlm.github.io/qwen-code-docs/en/cli/openai-auth",
    verified: { version: "0.15.10", date: "2026-11-22" },
  },
  {
    name: "Kimi CLI",
    programs: ["kimi", "kimi-cli"],
    env: { KIMI_BASE_URL: "{url}/v1", KIMI_API_KEY: "fake-key", KIMI_MODEL_NAME: "fake-model" },
    source: "https://moonshotai.github.io/kimi-cli/en/configuration/env-vars.html",
  },
];

/** Returns the recipe for an agent's command: that of a program or package in its words. */
export function modelRecipeFor(command: readonly string[]): ModelRecipe | undefined {
  const names = new Set(command.flatMap((word) => word.split(/[/\\]/).map(programName)));
  return modelRecipes.find(({ programs }) => programs.some((program) => names.has(program)));
}

/** A program's name without its version (`pkg@1.2.3`) and its extension. */
function programName(segment: string): string {
  const version = segment.indexOf("@", 1); // the first character may be that of a scope
  return (version < 0 ? segment : segment.slice(0, version)).replace(/\.(?:[cm]?js|exe|cmd)$/, "");
}

/** The variables and files of a recipe, for a server at an address. */
export function modelSetup(
  { env = {}, files = {} }: ModelRecipe,
  url: string,
): { readonly env: Readonly<Record<string, string>>; readonly files: Readonly<Record<string, string>> } {
  const filled = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.replaceAll("{url}", url)]));
  return { env: filled(env), files: filled(files) };
}
