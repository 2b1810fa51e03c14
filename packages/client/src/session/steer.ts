import { CapabilityError } from "@acp-kit/protocol";
import type { ContentBlock } from "@acp-kit/types";
import type { ClientPeer } from "../client-peer.js";

/**
 * The outcome of a message that was sent during a turn. `injected`: the turn received the message. `no_turn`: no turn
 * was running, and the message was not used. `new_turn`: the message started a new turn.
 */
export type SteerOutcome = "injected" | "no_turn" | "new_turn";

/**
 * Returns whether the agent accepts messages during a turn (steering). The protocol does not define steering. An agent
 * that supports steering advertises `steering` in the `_meta` of its response to `initialize`, and handles the request
 * `_session/steering`.
 */
export function canSteer(initialized: { readonly _meta?: Readonly<Record<string, unknown>> | null }): boolean {
  const { supported } = Object(initialized._meta?.steering) as { supported?: unknown };
  return supported === true;
}

/** Sends a message to the agent during the running turn. */
export async function steer(
  peer: ClientPeer,
  sessionId: string,
  prompt: readonly ContentBlock[],
): Promise<SteerOutcome> {
  // The agent must not start a new turn, of which this client would not know
  const _meta = { steering: { idleBehavior: "promptRequired" } };
  const response = await peer.extensionRequest("_session/steering", { sessionId, prompt, _meta });
  const { outcome } = Object(response) as { outcome?: unknown };
  if (outcome === "promptRequired") return "no_turn";
  return outcome === "startedNewTurn" ? "new_turn" : "injected";
}

/** Creates the error for an agent that doesn't support steering. */
export function cannotSteer(): CapabilityError {
  return new CapabilityError(
    "session.steer",
    "_meta.steering.supported",
    "The agent accepts no messages during a turn: it did not advertise steering. Cancel the turn, or send a prompt after it",
  );
}
