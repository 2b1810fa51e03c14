/**
 * The variables and files by which one agent receives the address of its model. In the texts of a recipe, `{url}`
 * stands for the address of the server, without a path.
 */
export interface ModelRecipe {
  /** The agent's name, for display. */
  readonly name: string;
  /** The names of the agent's programs and packages. Every command of the agent contains one of these names. */
  readonly programs: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The files to write, with their contents, by their paths below the agent's home folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** The id of the agent's login method that reads the key from the environment. */
  readonly authMethod?: string;
  /** The URL of the page that documents these settings. */
  readonly source: string;
  /** The agent's version with which the recipe was tried, and the date. Absent if it is only documented. */
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

const codexConfig = `model = "fake-model"
model_provider = "fake"

[model_providers.fake]
name = "Fake"
base_url = "{url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
`;

const vibeConfig = `active_model = "fake"

[[providers]]
name = "fake"
api_base = "{url}/v1"
api_key_env_var = "OPENAI_API_KEY"
api_style = "openai"
backend = "generic"

[[models]]
name = "fake-model"
provider = "fake"
alias = "fake"
`;

const grokConfig = `[models]
default = "fake"

[model.fake]
model = "fake-model"
base_url = "{url}/v1"
name = "Fake"
env_key = "XAI_API_KEY"
`;

const droidSettings = {
  customModels: [
    {
      model: "fake-model",
      displayName: "Fake",
      baseUrl: "{url}/v1",
      apiKey: "fake-key",
      provider: "generic-chat-completion-api",
      maxOutputTokens: 8_000,
    },
  ],
};

const piModels = {
  providers: {
    fake: { baseUrl: "{url}/v1", api: "openai-completions", apiKey: "fake-key", models: [{ id: "fake-model" }] },
  },
};

/** The recipes for agents of the public registry, each with the source that documents it. */
export const modelRecipes: readonly ModelRecipe[] = [
  {
    name: "Claude Agent",
    programs: ["claude-agent-acp", "claude-code-acp"],
    env: {
      ANTHROPIC_BASE_URL: "{url}",
      ANTHROPIC_API_KEY: "fake-key",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // Without this variable, the agent opens no session if its user is root, as in many containers of CI systems.
      IS_SANDBOX: "1",
    },
    source: "https://code.claude.com/docs/en/llm-gateway",
    verified: { version: "0.100.0", date: "2026-11-22" },
  },
  {
    name: "Gemini CLI",
    programs: ["gemini", "gemini-cli"],
    env: {
      GOOGLE_GEMINI_BASE_URL: "{url}",
      GEMINI_API_KEY: "fake-key",
      // Without this variable, the agent starts no MCP server in a folder that its user has not confirmed.
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    },
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
  {
    name: "Codex",
    programs: ["codex-acp"],
    env: { OPENAI_API_KEY: "fake-key" },
    files: { ".codex/config.toml": codexConfig },
    source: "https://developers.openai.com/docs/config-file/environment-variables",
  },
  {
    name: "GitHub Copilot",
    programs: ["copilot"],
    env: {
      COPILOT_PROVIDER_BASE_URL: "{url}/v1",
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_API_KEY: "fake-key",
      COPILOT_MODEL: "fake-model",
    },
    source: "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/use-byok-models",
  },
  {
    name: "Grok Build",
    programs: ["grok"],
    env: { XAI_API_KEY: "fake-key" },
    files: { ".grok/config.toml": grokConfig },
    source: "https://docs.x.ai/build/overview",
  },
  {
    name: "Mistral Vibe",
    programs: ["vibe-acp", "mistral-vibe"],
    env: { OPENAI_API_KEY: "fake-key" },
    files: { ".vibe/config.toml": vibeConfig },
    source: "https://docs.mistral.ai/mistral-vibe/terminal/configuration",
  },
  {
    name: "pi",
    programs: ["pi-acp"],
    files: {
      ".pi/agent/models.json": JSON.stringify(piModels, undefined, 2),
      ".pi/agent/settings.json": JSON.stringify({ defaultProvider: "fake", defaultModel: "fake-model" }, undefined, 2),
    },
    source: "https://github.com/earendil-works/pi/issues/21",
  },
  {
    name: "Factory Droid",
    programs: ["droid"],
    files: { ".factory/settings.json": JSON.stringify(droidSettings, undefined, 2) },
    source: "https://docs.factory.ai/cli/byok",
  },
  {
    name: "Cline",
    programs: ["cline"],
    // Without the key, the agent opens no session before a login. Its own provider is the only one whose address it
    // reads from the environment.
    env: { CLINE_API_KEY: "fake-key", CLINE_API_BASE_URL: "{url}" },
    source: "https://docs.cline.bot/cline-cli/installation",
    verified: { version: "3.0.65", date: "2026-11-27" },
  },
  {
    name: "Kilo",
    programs: ["kilo", "@kilocode"],
    files: { ".config/kilo/config.json": JSON.stringify(openCodeConfig, undefined, 2) },
    source: "https://help.aliyun.com/en/model-studio/kilo-cli",
  },
];

/** An agent of the public registry for which there is no recipe, and the reason. */
export interface AgentWithoutRecipe {
  /** The agent's id in the registry. */
  readonly id: string;
  /** The reason why `--model fake` can't set the agent's model. */
  readonly because: string;
}

/** The agents of the public registry for which there is no recipe. */
export const agentsWithoutRecipe: readonly AgentWithoutRecipe[] = [
  { id: "auggie", because: "no documented setting for the address of its model is known to this project" },
  {
    id: "qoder",
    because: "its documentation adds other models only in a dialogue of the agent, with an account that is logged in",
  },
  {
    id: "fast-agent",
    because:
      "it reads the address from `fast-agent.yaml` in the working directory or from its option `--base-url`, and `--model fake` sets only variables and files of the home folder",
  },
];

/** Returns the recipe for an agent's command, by the program or package that the command names. */
export function modelRecipeFor(command: readonly string[]): ModelRecipe | undefined {
  const names = new Set(command.flatMap((word) => word.split(/[/\\]/).map(programName)));
  return modelRecipes.find(({ programs }) => programs.some((program) => names.has(program)));
}

/** A program's name without its version (`pkg@1.2.3`) and its extension. */
function programName(segment: string): string {
  const version = segment.indexOf("@", 1); // from 1, because an `@` at 0 begins the scope of a package name
  return (version < 0 ? segment : segment.slice(0, version)).replace(/\.(?:[cm]?js|exe|cmd)$/, "");
}

/** Returns the variables and files of a recipe for a server at an address. */
export function modelSetup(
  { env = {}, files = {} }: ModelRecipe,
  url: string,
): { readonly env: Readonly<Record<string, string>>; readonly files: Readonly<Record<string, string>> } {
  const filled = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.replaceAll("{url}", url)]));
  return { env: filled(env), files: filled(files) };
}
