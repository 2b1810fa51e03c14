/** The program of an agent, with the name that package managers and installers give it on the `PATH`. */
export interface KnownProgram {
  /** The agent's id in the public registry. */
  readonly id: string;
  readonly name: string;
  readonly command: string;
  /** The arguments with which the program speaks the protocol. */
  readonly args: readonly string[];
  readonly website: string;
}

/**
 * The programs that `detectAgents` and `resolveAgent` search on the `PATH`. A registry contains packages and archives,
 * but not the names of installed programs.
 *
 * Source: `<id>/agent.json` in the public registry, https://github.com/agentclientprotocol/registry, unless a comment
 * names another source. A program has the name of the file in the archive, or the name in `bin` of the npm package.
 */
export const knownPrograms: readonly KnownProgram[] = [
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
    website: "https://www.augmentcode.com/",
  },
  {
    id: "claude-acp",
    name: "Claude Agent",
    command: "claude-agent-acp",
    args: [],
    website: "https://github.com/agentclientprotocol/claude-agent-acp",
  },
  { id: "cline", name: "Cline", command: "cline", args: ["--acp"], website: "https://cline.bot/cli" },
  {
    id: "codex-acp",
    name: "Codex",
    command: "codex-acp",
    args: [],
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
    website: "https://factory.ai/product/cli",
  },
  {
    id: "fast-agent",
    name: "fast-agent",
    command: "fast-agent-acp",
    args: ["-x"],
    website: "https://fast-agent.ai",
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    command: "gemini",
    args: ["--acp"],
    website: "https://geminicli.com",
  },
  {
    id: "github-copilot-cli",
    name: "GitHub Copilot",
    command: "copilot",
    args: ["--acp"],
    website: "https://github.com/features/copilot/cli/",
  },
  { id: "goose", name: "goose", command: "goose", args: ["acp"], website: "https://block.github.io/goose/" },
  {
    id: "grok-build",
    name: "Grok Build",
    command: "grok",
    args: ["agent", "stdio"],
    website: "https://x.ai/cli",
  },
  { id: "junie", name: "Junie", command: "junie", args: ["--acp=true"], website: "https://junie.jetbrains.com" },
  { id: "kilo", name: "Kilo", command: "kilo", args: ["acp"], website: "https://kilo.ai/" },
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
  {
    id: "opencode",
    name: "OpenCode",
    command: "opencode",
    args: ["acp"],
    website: "https://opencode.ai",
  },
  {
    id: "pi-acp",
    name: "pi",
    command: "pi-acp",
    args: [],
    website: "https://github.com/svkozak/pi-acp",
  },
  {
    id: "qoder",
    name: "Qoder CLI",
    command: "qodercli",
    args: ["--acp"],
    website: "https://qoder.com",
  },
  {
    id: "qwen-code",
    name: "Qwen Code",
    command: "qwen",
    args: ["--acp"],
    website: "https://qwenlm.github.io/qwen-code-docs/en/users/overview",
  },
  { id: "stakpak", name: "Stakpak", command: "stakpak", args: ["acp"], website: "https://github.com/stakpak/agent" },
];
