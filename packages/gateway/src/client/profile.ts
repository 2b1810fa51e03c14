import { invalidParams } from "@acp-kit/jsonrpc";
import type { ClientCapabilities } from "@acp-kit/types";
import type { AgentProfile, DescribedAgent } from "../agent/agent-host.js";
import type { GatewayVersion, ProtocolVersion } from "../version.js";

/**
 * Chooses the version for a client that sends these params of `initialize`. A client that sends the members of both
 * versions gets the version of the agent, which needs no conversion.
 *
 * @throws {RpcError} `-32602` if the members of version 2 are missing.
 */
export function clientVersionOf(
  { protocolVersion, info, clientCapabilities }: Readonly<Record<string, unknown>>,
  agent: DescribedAgent,
  v2: GatewayVersion | undefined,
): ProtocolVersion {
  if (v2 === undefined || typeof protocolVersion !== "number" || protocolVersion < 2) return 1;
  if (typeof info === "object" && info !== null)
    return typeof clientCapabilities === "object" && clientCapabilities !== null ? agent.version : 2;
  if (protocolVersion === 2) throw invalidParams("Invalid params: info is required in version 2");
  return 2;
}

/**
 * Creates the response to a client's `initialize`: the agent's response, with the session capabilities of the gateway.
 */
export function clientProfile(agent: DescribedAgent, version: ProtocolVersion, v2: GatewayVersion | undefined): object {
  if (version === 1 || v2 === undefined) return profileInV1(agent.profile);
  if (agent.version === 1) return v2.profile(profileInV1(agent.profile), 2);
  const { capabilities } = agent.response as { readonly capabilities?: { readonly session?: object | null } | null };
  const { fork: _, ...session } = (capabilities?.session ?? {}) as Readonly<Record<string, unknown>>;
  return { ...agent.response, capabilities: { ...capabilities, session: { ...session, delete: {} } } };
}

function profileInV1({ agentCapabilities, ...rest }: AgentProfile): object {
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
