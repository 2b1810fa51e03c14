import type { TurnControl } from "../turn-control.js";

/**
 * The phases of the current turn.
 *
 * - `preparing`: the request of the turn is not sent yet, because the session is being opened again or the user logs
 *   in.
 * - `sending`: the request is being passed to the connection. Updates that arrive from now on belong to the turn.
 * - `withdrawn`: the turn was cancelled in the phase `sending`; `session/cancel` is sent after the request.
 * - `running`: the request is sent.
 * - `cancelling`: `session/cancel` is sent.
 * - `responded`: the response has arrived, or a deadline has passed; listeners may still handle updates of the turn.
 */
export type PromptPhase = "preparing" | "sending" | "withdrawn" | "running" | "cancelling" | "responded";

/** The state of a session's prompt queue: it is idle, or one turn is current and in a phase. */
export type PromptState =
  | { readonly is: "idle"; readonly control?: undefined }
  | { readonly is: PromptPhase; readonly control: TurnControl };

export const idle: PromptState = { is: "idle" };

/** The phases that can follow each phase. `preparing` follows `responded` if the response requires a login and the prompt is sent again. */
const follows: Readonly<Record<PromptPhase, readonly PromptPhase[]>> = {
  preparing: ["sending", "responded"],
  sending: ["withdrawn", "running", "responded"],
  withdrawn: ["cancelling", "responded"],
  running: ["cancelling", "responded"],
  cancelling: ["responded"],
  responded: ["preparing"],
};

/**
 * Returns the state after `control` has changed to the phase `to`, or `undefined` if this change is not possible. Only
 * the current turn can change the state. For example, a turn that was cancelled during a login can't change the state
 * when the login ends.
 */
export function moved(state: PromptState, control: TurnControl, to: PromptPhase): PromptState | undefined {
  if (state.is === "idle" || state.control !== control || !follows[state.is].includes(to)) return undefined;
  return { is: to, control };
}

/** Returns the turn to which updates belong in this state. */
export function currentOf({ is, control }: PromptState): TurnControl | undefined {
  return is === "sending" || is === "withdrawn" || is === "running" || is === "cancelling" ? control : undefined;
}
