import { CapabilityError } from "@acp-kit/protocol";
import type { ClientPeer } from "../client-peer.js";

/**
 * Instructions for an agent, for the member `systemPrompt` of a session's setup.
 *
 * @experimental
 */
export interface SystemPrompt {
  /**
   * Returns the params of the request that opens a session.
   *
   * @internal
   * @throws {CapabilityError} when the agent did not advertise this kind of instructions.
   */
  paramsFor(peer: ClientPeer, method: string): object;
}

/**
 * Creates instructions for an agent. With the mode `append`, the agent adds the text to its own instructions, with the
 * same precedence; with `override`, the text replaces them. Tools and permissions stay as they are.
 *
 * @experimental
 * @example
 * ```ts
 * const session = await agent.newSession({ cwd, systemPrompt: systemPrompt("Answer in French.") });
 * ```
 */
export function systemPrompt(text: string, mode: "append" | "override" = "append"): SystemPrompt {
  return {
    paramsFor(peer, method) {
      const ofMode = mode === "override" ? ".mode.override" : "";
      const capability = `agentCapabilities.sessionCapabilities.systemPrompt${ofMode}`;
      if (!peer.offers(capability)) throw new CapabilityError(`${method} with systemPrompt`, capability);
      return { systemPrompt: { mode, content: [{ type: "text", text }] } };
    },
  };
}
