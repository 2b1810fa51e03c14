import type { TurnControl } from "../turn-control.js";

/**
 * The phases of the current turn.
 *
 * - `preparing`: its session is opened again, or the user logs in; its request is not sent yet.
 * - `sending`: its request is being passed to the connection. Updates from now on belong to it.
 * - `withdrawn`: it was cancelled while `sending`; `session/cancel` follows the request.
 * - `running`: its request is sent.
 * - `cancelling`: `session/cancel` is sent.
 * - `responded`: its response has arrived, or is not waited for any more; its listeners finish.
 */
export type PromptPhase = "preparing" | "sending" | "withdrawn" | "running" | "cancelling" | "responded";

/** The state of a session's prompts: idle, or one of them is current. */
export type PromptState =
  | { readonly is: "idle"; readonly control?: undefined }
  | { readonly is: PromptPhase; readonly control: TurnControl };

export const idle: PromptState = { is: "idle" };

/** The phases that may follow each. A prompt that needs a login is prepared again. */
const follows: Readonly<Record<PromptPhase, readonly PromptPhase[]>> = {
  preparing: ["sending", "responded"],
  sending: ["withdrawn", "running", "responded"],
  withdrawn: ["cancelling", "responded"],
  running: ["cancelling", "responded"],
  cancelling: ["responded"],
  responded: ["preparing"],
};

/**
 * Returns the state after `control` has changed to a phase; `undefined` if it can't. A turn that is not current any more, such as one whose login ends
 * after it was cancelled, changes nothing.
 */
export function moved(state: PromptState, control: TurnControl, to: PromptPhase): PromptState | undefined {
  if (state.is === "idle" || state.control !== control || !follows[state.is].includes(to)) return undefined;
  return { is: to, control };
}

/** Returns the turn that updates belong to. */
export function currentOf({ is, control }: PromptState): TurnControl | undefined {
  return is === "sending" || is === "withdrawn" || is === "running" || is === "cancelling" ? control : undefined;
}
