import { invalidParams } from "@acp-kit/protocol";
import { isAbsolutePath, shorten } from "@acp-kit/protocol/internal";
import type { IncomingContentBlock, IncomingNewSessionRequest } from "@acp-kit/types";
import type { AgentDefinition } from "./agent-definition.js";
import { featuresOf } from "./unstable/agent-feature.js";

/** Throws the error `-32602` if `path` is not absolute. */
export function assertAbsolute(path: string, member: string): void {
  if (!isAbsolutePath(path))
    throw invalidParams(`Invalid params: ${member}: must be an absolute path`, { [member]: shorten(path) });
}

type SessionParams = Pick<IncomingNewSessionRequest, "cwd" | "additionalDirectories"> &
  Partial<Pick<IncomingNewSessionRequest, "mcpServers">>;

/**
 * Checks the rules for the params of `session/new`, `session/load` and `session/resume` that the schema does not
 * express.
 *
 * @see https://agentclientprotocol.com/protocol/v1/session-setup
 */
export function assertSessionParams(definition: AgentDefinition, params: SessionParams): void {
  assertAbsolute(params.cwd, "cwd");
  featuresOf(definition).systemPromptOf?.(params);
  const directories = params.additionalDirectories ?? [];
  if (directories.length > 0 && definition.additionalDirectories !== true) {
    throw invalidParams("Invalid params: additionalDirectories: this agent does not accept any");
  }
  for (const directory of directories) assertAbsolute(directory, "additionalDirectories");
  for (const server of params.mcpServers ?? []) {
    if ("command" in server && typeof server.command === "string") continue; // stdio, with or without a `type`
    const { type, name } = server as { type: string; name?: unknown };
    if (definition.mcpTransports?.[type as "http"] === true) continue;
    const kind = shorten(type);
    throw invalidParams(`Invalid params: mcpServers: this agent does not support ${kind} servers`, {
      type: kind,
      ...(typeof name === "string" && { name: shorten(name) }),
    });
  }
}

/**
 * Throws the error `-32602` for a content block of a kind that the agent did not advertise. @see
 * https://agentclientprotocol.com/protocol/v1/content
 */
export function assertPromptContent(definition: AgentDefinition, prompt: readonly IncomingContentBlock[]): void {
  const { image = false, audio = false, embeddedContext = false } = definition.promptContent ?? {};
  const taken: Record<string, boolean> = { text: true, resource_link: true, image, audio, resource: embeddedContext };
  prompt.forEach(({ type }, index) => {
    if (taken[type] !== true) {
      const kind = shorten(type);
      throw invalidParams(`Invalid params: prompt[${index}]: this agent does not accept ${kind} blocks`, {
        type: kind,
        index,
      });
    }
  });
}
