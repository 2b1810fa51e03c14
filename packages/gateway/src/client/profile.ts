import type { ClientCapabilities } from "@acp-kit/types";
import type { AgentProfile } from "../agent/agent-host.js";

/** What clients receive as the response to `initialize`: the agent's, with the sessions that the gateway provides. */
export function clientProfile(profile: AgentProfile): object {
  const { agentCapabilities, ...rest } = profile;
  const { additionalDirectories, ...others } = agentCapabilities?.sessionCapabilities ?? {};
  const { fork: _, ...kept } = others; // a forked session would be one that the gateway does not know
  return {
    ...rest,
    protocolVersion: 1,
    agentCapabilities: {
      ...agentCapabilities,
      loadSession: true,
      sessionCapabilities: {
        ...kept,
        ...(additionalDirectories != null && { additionalDirectories }),
        list: {},
        resume: {},
        close: {},
        delete: {},
      },
    },
  };
}

/** The methods of the agent that a client serves, by what it advertises. */
export function servedMethods(capabilities: ClientCapabilities | undefined): string[] {
  const { fs, terminal } = capabilities ?? {};
  return [
    ...(fs?.readTextFile === true ? ["fs/read_text_file"] : []),
    ...(fs?.writeTextFile === true ? ["fs/write_text_file"] : []),
    ...(terminal === true
      ? ["terminal/create", "terminal/output", "terminal/kill", "terminal/release", "terminal/wait_for_exit"]
      : []),
  ];
}
