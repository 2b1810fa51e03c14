import type { IncomingNewSessionRequest, NewSessionResponse } from "@acp-kit/types";
import type { AgentContext, AgentDefinition } from "../agent-definition.js";
import type { SystemPrompt } from "./system-prompt.js";
import type { UnstableAgentFeature } from "./unstable-agent-feature.js";

/** Registers a method that creates a session, as `session/new` does. `decode` decodes its params. */
export type CreateBy = <Params extends IncomingNewSessionRequest>(
  method: string,
  create: (params: Params, context: AgentContext) => NewSessionResponse | PromiseLike<NewSessionResponse>,
  decode?: (params: object) => Params,
) => void;

/** What a feature adds to an agent. */
export interface AgentFeature extends UnstableAgentFeature {
  /** The capabilities that the agent advertises for the feature. */
  readonly sessionCapabilities: object;
  readonly register?: (createBy: CreateBy) => void;
  /**
   * Reads the system prompt from the params of a request that opens a session.
   *
   * @throws {RpcError} when the agent can't follow it; the session is then not opened.
   */
  readonly systemPromptOf?: (params: object) => SystemPrompt | undefined;
}

/** Returns a feature without its parts in the type. */
export function feature(parts: AgentFeature): UnstableAgentFeature {
  return parts;
}

/** Returns the parts of all features of an agent; no two features have the same part. */
export function featuresOf({ unstable = [] }: AgentDefinition): Partial<AgentFeature> {
  const all = unstable as readonly AgentFeature[];
  const sessionCapabilities = Object.assign({}, ...all.map((each) => each.sessionCapabilities));
  return Object.assign({}, ...all, { sessionCapabilities });
}
