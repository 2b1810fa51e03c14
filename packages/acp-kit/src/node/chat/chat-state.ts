/**
 * The states of a conversation:
 *
 * - `starting`: the agent's process starts; nothing can be sent yet.
 * - `idle`: the chat waits for the user.
 * - `running`: a turn runs.
 * - `cancelling`: a turn runs, and `session/cancel` was sent.
 * - `lost`: the agent and its session have ended; the user can open another session.
 * - `left`: the user has quit.
 *
 * While the agent waits for a reply of the user, the state is still `running`: the user interface stores the open
 * questions.
 */
export type ChatState =
  | { readonly kind: "starting" | "idle" | "lost"; readonly warned: boolean }
  | { readonly kind: "running" | "cancelling"; readonly since: number; readonly warned: boolean }
  | { readonly kind: "left" };

/** The events that change the state. */
export type ChatEvent =
  | { readonly type: "started" | "turn_ended" | "cancelled" | "agent_lost" | "session_opened" | "entered" | "left" }
  | { readonly type: "turn_began"; readonly at: number }
  /** The user pressed Ctrl-C: the first time cancels the running turn, the second time quits. */
  | { readonly type: "interrupted" };

export const startingState: ChatState = { kind: "starting", warned: false };

/** Returns the state after an event. The state `left` is final. */
export function nextState(state: ChatState, event: ChatEvent): ChatState {
  if (state.kind === "left" || event.type === "left") return { kind: "left" };
  const isPlaying = state.kind === "running" || state.kind === "cancelling";
  switch (event.type) {
    case "started":
      return state.kind === "starting" ? { kind: "idle", warned: state.warned } : state;
    case "session_opened":
      return isPlaying ? state : { kind: "idle", warned: false };
    case "turn_began":
      return state.kind === "lost" ? state : { kind: "running", since: event.at, warned: false };
    case "turn_ended":
      return isPlaying ? { kind: "idle", warned: false } : state;
    case "cancelled":
      return state.kind === "running" ? { ...state, kind: "cancelling" } : state;
    case "agent_lost":
      return { kind: "lost", warned: false };
    case "entered":
      return { ...state, warned: false };
    case "interrupted":
      if (state.warned) return { kind: "left" };
      return state.kind === "running" ? { ...state, kind: "cancelling", warned: true } : { ...state, warned: true };
  }
}
