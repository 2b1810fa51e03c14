import type { Redactor } from "@acp-kit/redact";
import type { AgentCommand } from "./agent-target.js";
import { type Host, redactorFor } from "./host.js";

/**
 * Creates a redactor for the recording of an agent. It knows the keys that the agent gets from the environment and from
 * its settings, because the agent may log them.
 */
export function agentRedactor(agent: Partial<AgentCommand>, { env }: Host): Redactor {
  const redactor = redactorFor(env);
  redactor.learn({ env: agent.env });
  return redactor;
}
