/**
 * The phases of a turn. A prompt of this client begins in the phase `queued`, a turn that this client did not start in
 * the phase `running`.
 *
 * - `queued`: earlier turns of the session have not ended.
 * - `preparing`: the request of the turn is not sent yet, because the session is being opened again, the user logs in,
 *   or the agent still works on a turn that this client did not start.
 * - `sending`: the request is being passed to the connection. Updates that arrive from now on belong to the turn.
 * - `held`: the request is sent, but the agent has not added the prompt to the conversation. Only in version 2.
 * - `withdrawn`: the turn was cancelled in the phase `sending` or `held`; `session/cancel` is sent after the request,
 *   or when the agent adds the prompt nevertheless.
 * - `running`: the request is sent, or the agent has reported the turn, or has added the prompt to the conversation.
 * - `cancelling`: `session/cancel` is sent.
 * - `responded`: the response or the end of the turn has arrived, or a deadline has passed; listeners may still handle
 *   updates of the turn.
 * - `ended`: the turn is settled.
 */
export type TurnPhase =
  | "queued"
  | "preparing"
  | "sending"
  | "held"
  | "withdrawn"
  | "running"
  | "cancelling"
  | "responded"
  | "ended";

/**
 * The phases that can follow each phase. `preparing` follows `responded` if the response requires a login and the
 * prompt is sent again.
 */
const follows: Readonly<Record<TurnPhase, readonly TurnPhase[]>> = {
  queued: ["preparing", "ended"],
  preparing: ["sending", "ended"],
  sending: ["held", "withdrawn", "running", "responded"],
  held: ["withdrawn", "running", "responded"],
  withdrawn: ["cancelling", "responded"],
  running: ["cancelling", "responded"],
  cancelling: ["responded"],
  responded: ["preparing", "ended"],
  ended: [],
};

/**
 * Returns whether a turn can change from one phase to another. For example, a turn that was cancelled during a login is
 * not sent when the login ends.
 */
export function canFollow(from: TurnPhase, to: TurnPhase): boolean {
  return follows[from].includes(to);
}

/** Returns whether the agent has a turn in this phase; in version 1, it then works on the turn. */
export function isActive(phase: TurnPhase): boolean {
  return isHeld(phase) || phase === "sending" || phase === "running" || phase === "cancelling";
}

/** Returns whether the agent may not have added the prompt of a turn in this phase to the conversation. */
export function isHeld(phase: TurnPhase): boolean {
  return phase === "held" || phase === "withdrawn";
}

/** Returns whether a turn in this phase was cancelled and the agent has not ended it yet. */
export function isBeingCancelled(phase: TurnPhase | undefined): boolean {
  return phase === "withdrawn" || phase === "cancelling";
}
