import type { TurnControl } from "../turn-control.js";

/**
 * How far the turn in play is.
 *
 * - `preparing`: its session is opened again, or the user logs in; nothing of it is on its way.
 * - `sending`: its request is handed over. What arrives from here on belongs to it.
 * - `withdrawn`: it was cancelled while its request was handed over; the agent is told once the request has left.
 * - `running`: the agent has it.
 * - `cancelling`: the agent has been asked to stop.
 * - `answered`: its answer is here, or nobody waits for one any more; its listeners finish.
 */
export type PromptPhase = "preparing" | "sending" | "withdrawn" | "running" | "cancelling" | "answered";

/** What a session's prompts are doing: nothing, or one of them is in play. */
export type PromptState =
  | { readonly is: "idle"; readonly control?: undefined }
  | { readonly is: PromptPhase; readonly control: TurnControl };

export const idle: PromptState = { is: "idle" };

/** Which phase may follow which. A prompt that the agent refused for want of a login is prepared again. */
const follows: Readonly<Record<PromptPhase, readonly PromptPhase[]>> = {
  preparing: ["sending", "answered"],
  sending: ["withdrawn", "running", "answered"],
  withdrawn: ["cancelling", "answered"],
  running: ["cancelling", "answered"],
  cancelling: ["answered"],
  answered: ["preparing"],
};

/**
 * The state once `control` has come to a phase; `undefined` where it can't. A turn that is not in play any more, such as one whose login ends
 * after it was cancelled, changes nothing.
 */
export function moved(state: PromptState, control: TurnControl, to: PromptPhase): PromptState | undefined {
  if (state.is === "idle" || state.control !== control || !follows[state.is].includes(to)) return undefined;
  return { is: to, control };
}

/** The turn that updates belong to. */
export function currentOf({ is, control }: PromptState): TurnControl | undefined {
  return is === "sending" || is === "withdrawn" || is === "running" || is === "cancelling" ? control : undefined;
}
