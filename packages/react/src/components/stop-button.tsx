import type { KnownBackgroundWork } from "@acp-kit/types/v2";
import { type ReactElement, useState } from "react";
import { plainLine } from "./plain-text.js";

/**
 * Stops a tool call or a terminal of the agent alone, such as `stop` of `useBackground`. If the returned promise
 * rejects, the button shows the reason.
 */
export type StopWork = (work: KnownBackgroundWork) => unknown;

/** @internal */
export function StopButton(props: {
  readonly work: KnownBackgroundWork;
  /** The name of the work, for assistive technology. */
  readonly name: string;
  readonly onStop: StopWork;
}): ReactElement {
  const { work, name, onStop } = props;
  const [state, setState] = useState<{ readonly isStopping?: true; readonly problem?: string }>({});
  const onClick = async (): Promise<void> => {
    setState({ isStopping: true }); // until the agent reports the end, with which the button goes
    try {
      await onStop(work);
    } catch (error) {
      setState({ problem: error instanceof Error ? error.message : String(error) });
    }
  };
  const { isStopping = false, problem } = state;
  return (
    <span className="acp-stop-work">
      <button
        type="button"
        disabled={isStopping}
        aria-label={`Stop ${plainLine(name, 100)}`}
        onClick={() => void onClick()}
      >
        Stop
      </button>
      {problem !== undefined && (
        <span className="acp-problem" role="alert">
          {plainLine(problem, 200)}
        </span>
      )}
    </span>
  );
}
