import { invalidParams } from "@acp-kit/protocol";
import type { IncomingLoadSessionRequest, NewSessionResponse } from "@acp-kit/types";
import { decodeLoadSessionRequest, formatIssue } from "@acp-kit/types/decode";
import type { AgentContext } from "../agent-definition.js";
import { feature } from "./agent-feature.js";
import type { UnstableAgentFeature } from "./unstable-agent-feature.js";

/**
 * Lets clients fork sessions with `session/fork`. The handler creates a session that begins with the conversation of
 * the session `params.sessionId`, and returns its id. The folders and MCP servers are those of `params`, not those of
 * the other session. Throw `resourceNotFound` for a session that the agent doesn't know.
 *
 * @experimental
 * @example
 * ```ts
 * createAgent({ …, unstable: [acceptForks(({ sessionId }) => ({ sessionId: copyOf(sessionId) }))] });
 * ```
 */
export function acceptForks(
  fork: (
    params: IncomingLoadSessionRequest,
    context: AgentContext,
  ) => NewSessionResponse | PromiseLike<NewSessionResponse>,
): UnstableAgentFeature {
  return feature({
    name: "acceptForks",
    sessionCapabilities: { fork: {} },
    register: (createBy) => createBy("session/fork", fork, decode),
  });
}

/** The stable schema lacks the method, whose params have the members of `session/load`. */
function decode(params: object): IncomingLoadSessionRequest {
  const result = decodeLoadSessionRequest.try({ mcpServers: [], ...params });
  if (result.ok) return result.value;
  const { issues } = result;
  const [first] = issues;
  throw invalidParams(`Invalid params: ${first === undefined ? "" : formatIssue(first)}`, { issues });
}
