import type { Command } from "commander";
import { type AgentTarget, isRemote } from "../agent-target.js";
import { usageFailure } from "../command-failure.js";
import { type PermissionPolicy, permissionPolicies } from "../run/permission-policy.js";

/** Options of the command line that can also be in the user's settings of an agent. */
interface SessionOptions {
  readonly permissions: PermissionPolicy;
  readonly mode?: string;
  readonly model?: string;
}

/** Returns the options of the command line. If the command line does not contain an option, the option is taken from the agent's settings. */
export function withAgentSettings(command: Command, options: SessionOptions, agent: AgentTarget): SessionOptions {
  const identity = isRemote(agent) ? undefined : agent.identity;
  if (identity === undefined) return options;
  const { permissions, mode = identity.mode, model = identity.model } = options;
  const isDefault = command.getOptionValueSource("permissions") === "default";
  return {
    permissions:
      isDefault && identity.permissions !== undefined ? policyOf(identity.permissions, identity.file) : permissions,
    ...(mode !== undefined && { mode }),
    ...(model !== undefined && { model }),
  };
}

function policyOf(text: string, file = "the settings"): PermissionPolicy {
  const policy = permissionPolicies.find((each) => each === text);
  if (policy !== undefined) return policy;
  throw usageFailure(`${file}: permissions must be one of ${permissionPolicies.join(", ")}, not "${text}".`);
}
