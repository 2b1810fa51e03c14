import type { LaunchQuirk } from "./agent-quirks.js";

/** The known differences in how versions of agents must be started. */
export const launchQuirks: readonly LaunchQuirk[] = [
  {
    agent: "gemini",
    versions: "<0.33.0",
    renamedArgs: { "--acp": "--experimental-acp" },
    why: "The option --acp exists since 0.33. Earlier versions do not know the option and start their terminal interface.",
    source: "https://github.com/agentclientprotocol/registry/pull/176",
  },
];
