import type { LaunchQuirk } from "./agent-quirks.js";

/** The known differences in how agents are started. */
export const launchQuirks: readonly LaunchQuirk[] = [
  {
    agent: "gemini",
    versions: "<0.33.0",
    renamedArgs: { "--acp": "--experimental-acp" },
    why: "--acp is the name since 0.33; earlier versions do not know it and start their terminal interface.",
    source: "https://github.com/agentclientprotocol/registry/pull/176",
  },
];
