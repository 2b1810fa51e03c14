import type { PromptInput, PromptOptions, PromptTurn, Session } from "@acp-kit/client";
import type { StopReason } from "@acp-kit/types";
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { useKeptValue } from "./use-kept-value.js";

const noTurns: readonly PromptTurn[] = [];
const unsubscribe = (): void => {};

/** The result of {@link useTurn}. */
export interface UseTurn {
  /** `running` while a turn runs or is queued, otherwise `idle`. */
  readonly activity: "idle" | "running";
  /** The turn that runs; `undefined` between turns. */
  readonly running: PromptTurn | undefined;
  /**
   * The turns that wait: those that the client sends when the running turn has ended, and those that the agent holds.
   * `turn.cancel()` removes a turn from this queue.
   */
  readonly queued: readonly PromptTurn[];
  /** The stop reason of the last turn that has ended: one that this hook sent, or one that another client started. */
  readonly stopReason: StopReason | undefined;
  /** The error of the last turn, if the turn failed. The next turn sets it to `undefined`. */
  readonly error: unknown;
  /**
   * Sends a prompt, or queues it until the running turn has ended. Returns `undefined` without a session. If the turn
   * fails, `error` also contains the reason.
   */
  readonly send: (input: PromptInput, options?: PromptOptions) => PromptTurn | undefined;
  /** Cancels the running turn. The queued prompts stay. */
  readonly cancel: () => void;
  /** Cancels the running turn and removes all queued prompts. */
  readonly cancelAll: () => void;
}

/** How the last turn of a session has ended. Empty until a turn has ended. */
interface TurnEnd {
  readonly stopReason?: StopReason | undefined;
  readonly error?: unknown;
}

const noEnd: TurnEnd = {};

/** Returns the turns of a session that are not settled, and the functions to send, queue and cancel prompts. */
export function useTurn(session: Session | undefined): UseTurn {
  const subscribe = useCallback((listener: () => void) => session?.onQueueChange(listener) ?? unsubscribe, [session]);
  const turns = useSyncExternalStore(
    subscribe,
    () => session?.queue ?? noTurns,
    () => noTurns,
  );
  const [{ stopReason, error }, end] = useKeptValue(session, noEnd);
  const watch = useCallback(
    (turn: PromptTurn): void => {
      end?.set(noEnd);
      turn.result.then(
        (response) => end?.set({ stopReason: response.stopReason }),
        (reason: unknown) => end?.set({ error: reason }),
      );
    },
    [end],
  );
  const send = useCallback(
    (input: PromptInput, options?: PromptOptions): PromptTurn | undefined => {
      if (session === undefined) return undefined;
      const turn = session.prompt(input, options);
      watch(turn);
      return turn;
    },
    [session, watch],
  );
  const joined = turns.find(({ isJoined }) => isJoined);
  useEffect(() => {
    if (joined !== undefined) watch(joined);
  }, [joined, watch]);
  const running = turns.find(({ state }) => state === "running");
  const queued = turns.length === 0 ? noTurns : turns.filter(({ state }) => state === "queued" || state === "held");
  return {
    activity: turns.length === 0 ? "idle" : "running",
    running,
    queued,
    stopReason,
    error,
    send,
    cancel: useCallback(() => session?.turn?.cancel(), [session]),
    cancelAll: useCallback(() => session?.cancel(), [session]),
  };
}
