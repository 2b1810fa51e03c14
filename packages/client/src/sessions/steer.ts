import { CapabilityError } from "@acp-kit/protocol";
import type { ContentBlock } from "@acp-kit/types";
import type { ClientPeer } from "../client-peer.js";

/** What became of a message to a running turn: the turn has it, no turn was running and it was not sent, or it began a turn of its own. */
export type SteerOutcome = "injected" | "no_turn" | "new_turn";

/**
 * Whether the agent takes messages into a running turn. Not in the protocol: agents that do advertise `steering` in the `_meta` of `initialize`
 * and answer `_session/steering`.
 */
export function canSteer(initialized: { readonly _meta?: Readonly<Record<string, unknown>> | null }): boolean {
  const { supported } = Object(initialized._meta?.steering) as { supported?: unknown };
  return supported === true;
}

/** Sends a message into the running turn. */
export async function steer(
  peer: ClientPeer,
  sessionId: string,
  prompt: readonly ContentBlock[],
): Promise<SteerOutcome> {
  const _meta = { steering: { idleBehavior: "promptRequired" } }; // don't begin a turn that nobody here would know of
  const answer = await peer.extensionRequest("_session/steering", { sessionId, prompt, _meta });
  const { outcome } = Object(answer) as { outcome?: unknown };
  if (outcome === "promptRequired") return "no_turn";
  return outcome === "startedNewTurn" ? "new_turn" : "injected";
}

/** What an agent is told that can't. */
export function cannotSteer(): CapabilityError {
  return new CapabilityError(
    "session.steer",
    "_meta.steering.supported",
    "The agent takes no messages into a running turn: it did not advertise steering. Cancel the turn, or prompt after it",
  );
}
