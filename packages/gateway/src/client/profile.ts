import type { ClientCapabilities } from "@acp-kit/types";
import type { AgentProfile } from "../agent/agent-host.js";

/**
 * Creates the response to a client's `initialize`: the agent's response, with the session capabilities of the gateway.
 */
export function clientProfile(profile: AgentProfile): object {
  const { agentCapabilities, ...rest } = profile;
  const { additionalDirectories, ...others } = agentCapabilities?.sessionCapabilities ?? {};
  const { fork: _, ...kept } = others; // the gateway would not know a forked session
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

/** Returns the methods of the agent's requests that a client can handle, according to its capabilities. */
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
