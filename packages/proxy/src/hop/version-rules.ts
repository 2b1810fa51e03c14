import { InvalidOptionError } from "@acp-kit/jsonrpc";
import { capabilityChange } from "./capability-gates.js";
import { type InterceptorTable, interceptorTable } from "./interceptor-table.js";
import type { ProtocolVersion } from "./protocol-version.js";
import type { Side } from "./side.js";

/** The parts of a proxy's definition that belong to one version of the protocol. */
export interface GivenRules {
  readonly fromClient?: object;
  readonly fromAgent?: object;
  readonly agentCapabilities?: (capabilities: never) => object;
  readonly clientCapabilities?: (capabilities: never) => object;
}

/** What an ACP proxy does in one version of the protocol. */
export interface VersionRules {
  readonly protocol: ProtocolVersion;
  /** The interceptors of the messages that each side sends. */
  readonly tables: Record<Side, InterceptorTable>;
  /** The functions that change the capabilities that each side advertised. */
  readonly changes: Record<Side, ((capabilities: never) => object) | undefined>;
}

/**
 * Checks the rules of one version.
 *
 * @param caller the function whose argument they are.
 * @throws {InvalidOptionError} when a rule is invalid, or adds a capability without an interceptor for its methods.
 */
export function versionRules(caller: string, protocol: ProtocolVersion, given: GivenRules): VersionRules {
  const { fromClient = {}, fromAgent = {}, agentCapabilities, clientCapabilities } = given;
  const rules: VersionRules = {
    protocol,
    tables: {
      client: interceptorTable(caller, protocol, "client", fromClient),
      agent: interceptorTable(caller, protocol, "agent", fromAgent),
    },
    changes: { agent: agentCapabilities, client: clientCapabilities },
  };
  for (const side of ["agent", "client"] as const) {
    const shown = rules.changes[side]?.({} as never);
    const { missing } = capabilityChange(rules, side, {}, shown ?? {});
    if (missing === undefined) continue;
    const problem = `adds a capability without an interceptor of ${missing}`;
    throw new InvalidOptionError(caller, `${side}Capabilities`, problem);
  }
  return rules;
}

/** Whether a proxy does something in this version that depends on what messages say. */
export function inspects({ tables, changes }: VersionRules): boolean {
  return !tables.client.isEmpty || !tables.agent.isEmpty || changes.agent !== undefined || changes.client !== undefined;
}
