/** An agent known to speak the protocol over standard input and output, and how to start it. */
export interface KnownAgent {
  /** The agent's name in the public registry of agents. */
  readonly id: string;
  readonly name: string;
  /** The name of the installed program. */
  readonly command: string;
  readonly args: readonly string[];
  /** The npm package that contains the agent, for `npx`. */
  readonly npm?: string;
  /** The PyPI package that contains the agent, for `uvx`. */
  readonly pypi?: string;
  readonly website: string;
}

/**
 * The table that `acp-kit agents` shows. The table is only a convenience: `acp-kit` works with any agent command.
 *
 * Sources: the public registry, https://github.com/agentclientprotocol/registry, `<id>/agent.json`, has each entry with
 * its arguments, unless a comment names another one. Program names are those of the archives there, or the `bin` of the
 * npm package.
 */
export const knownAgents: readonly KnownAgent[] = [
  {
    id: "amp-acp",
    name: "Amp",
    command: "amp-acp",
    args: [],
    website: "https://github.com/tao12345666333/amp-acp",
  },
  {
    id: "auggie",
    name: "Auggie CLI",
    command: "auggie",
    args: ["--acp"],
    npm: "@augmentcode/auggie",
    website: "https://www.augmentcode.com/",
  },
  {
    id: "claude-acp",
    name: "Claude Agent",
    command: "claude-agent-acp",
    args: [],
    npm: "@agentclientprotocol/claude-agent-acp",
    website: "https://github.com/agentclientprotocol/claude-agent-acp",
  },
  { id: "cline", name: "Cline", command: "cline", args: ["--acp"], npm: "cline", website: "https://cline.bot/cli" },
  {
    id: "codex-acp",
    name: "Codex",
    command: "codex-acp",
    args: [],
    npm: "@agentclientprotocol/codex-acp",
    website: "https://github.com/agentclientprotocol/codex-acp",
  },
  {
    id: "cursor",
    name: "Cursor",
    command: "cursor-agent",
    args: ["acp"],
    website: "https://cursor.com/docs/cli/acp",
  },
  {
    id: "factory-droid",
    name: "Factory Droid",
    command: "droid",
    args: ["exec", "--output-format", "acp-daemon"],
    npm: "droid",
    website: "https://factory.ai/product/cli",
  },
  {
    id: "fast-agent",
    name: "fast-agent",
    command: "fast-agent-acp",
    args: ["-x"],
    pypi: "fast-agent-acp",
    website: "https://fast-agent.ai",
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    command: "gemini",
    args: ["--acp"],
    npm: "@google/gemini-cli",
    website: "https://geminicli.com",
  },
  {
    id: "github-copilot-cli",
    name: "GitHub Copilot",
    command: "copilot",
    args: ["--acp"],
    npm: "@github/copilot",
    website: "https://github.com/features/copilot/cli/",
  },
  { id: "goose", name: "goose", command: "goose", args: ["acp"], website: "https://block.github.io/goose/" },
  {
    id: "grok-build",
    name: "Grok Build",
    command: "grok",
    args: ["agent", "stdio"],
    npm: "@xai-official/grok",
    website: "https://x.ai/cli",
  },
  { id: "junie", name: "Junie", command: "junie", args: ["--acp=true"], website: "https://junie.jetbrains.com" },
  { id: "kilo", name: "Kilo", command: "kilo", args: ["acp"], npm: "@kilocode/cli", website: "https://kilo.ai/" },
  { id: "kimi", name: "Kimi CLI", command: "kimi", args: ["acp"], website: "https://github.com/MoonshotAI/kimi-cli" },
  // https://kiro.dev/docs/cli/acp
  { id: "kiro", name: "Kiro", command: "kiro-cli", args: ["acp"], website: "https://kiro.dev/docs/cli/acp" },
  {
    id: "mistral-vibe",
    name: "Mistral Vibe",
    command: "vibe-acp",
    args: [],
    website: "https://mistral.ai/products/vibe",
  },
  // The npm package: https://opencode.ai/docs/acp
  {
    id: "opencode",
    name: "OpenCode",
    command: "opencode",
    args: ["acp"],
    npm: "opencode-ai",
    website: "https://opencode.ai",
  },
  {
    id: "pi-acp",
    name: "pi",
    command: "pi-acp",
    args: [],
    npm: "pi-acp",
    website: "https://github.com/svkozak/pi-acp",
  },
  {
    id: "qoder",
    name: "Qoder CLI",
    command: "qodercli",
    args: ["--acp"],
    npm: "@qoder-ai/qodercli",
    website: "https://qoder.com",
  },
  {
    id: "qwen-code",
    name: "Qwen Code",
    command: "qwen",
    args: ["--acp"],
    npm: "@qwen-code/qwen-code",
    website: "https://qwenlm.github.io/qwen-code-docs/en/users/overview",
  },
  { id: "stakpak", name: "Stakpak", command: "stakpak", args: ["acp"], website: "https://github.com/stakpak/agent" },
];

/** Returns the command that starts an agent through a package runner, without installing the agent; `undefined` if it has no package. */
export function throughRunner({ npm, pypi, args }: KnownAgent): string | undefined {
  const runner = npm !== undefined ? ["npx", "-y", npm] : pypi !== undefined ? ["uvx", pypi] : undefined;
  return runner && [...runner, ...args].join(" ");
}
