import { editorFiles } from "@acp-kit/registry";
import type { Command } from "commander";
import { type AgentTarget, isRemote } from "../agent-target.js";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import type { ChoiceDefaults } from "../run/open-session.js";
import { type PermissionPolicy, permissionPolicies } from "../run/permission-policy.js";

/** Options of the command line that can also be in the settings of an agent. */
interface SessionOptions {
  readonly permissions: PermissionPolicy;
  readonly mode?: string;
  readonly model?: string;
}

/** The options of a session, and those that come from settings. */
export interface MergedOptions {
  readonly permissions: PermissionPolicy;
  readonly mode: string | undefined;
  readonly model: string | undefined;
  readonly defaults: ChoiceDefaults | undefined;
}

/** Returns the options of the command line, and those of the agent's settings that it does not contain. */
export function withAgentSettings(
  command: Command,
  options: SessionOptions,
  agent: AgentTarget,
  { env }: Pick<Host, "env">,
): MergedOptions {
  const { permissions, mode, model } = options;
  const identity = isRemote(agent) ? undefined : agent.identity;
  if (identity === undefined) return { permissions, mode, model, defaults: undefined };
  const { file = "the settings" } = identity;
  const isDefault = command.getOptionValueSource("permissions") === "default";
  return {
    permissions: isDefault && identity.permissions !== undefined ? policyOf(identity.permissions, file) : permissions,
    mode,
    model,
    defaults: {
      ...(mode === undefined && { mode: identity.mode }),
      ...(model === undefined && { model: identity.model }),
      file,
      isEditors: editorFiles(env).includes(file),
    },
  };
}

function policyOf(text: string, file: string): PermissionPolicy {
  const policy = permissionPolicies.find((each) => each === text);
  if (policy !== undefined) return policy;
  throw usageFailure(`${file}: permissions must be one of ${permissionPolicies.join(", ")}, not "${text}".`);
}
