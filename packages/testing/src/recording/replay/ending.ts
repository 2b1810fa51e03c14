import type { Recording } from "../format.js";
import type { Difference } from "./difference.js";
import { isAwake } from "./lane.js";
import type { ReplayReport } from "./replay-options.js";
import type { Step } from "./step.js";

/** Whether a replayed client has sent and received all; `almost` if only updates of the agent are missing. */
export function clientIsDone(steps: readonly Step[]): boolean | "almost" {
  if (steps.some(isOwed)) return false;
  const isMissing = ({ ours, kind, state }: Step): boolean => !ours && kind === "notification" && state === "waiting";
  return steps.some(isMissing) ? "almost" : true;
}

function isOwed({ ours, kind, request, endOf, state }: Step): boolean {
  if (state === "done") return false;
  if (kind === "response") return request?.state === "done";
  if (endOf !== undefined) return endOf.state === "done" && state === "waiting";
  return ours;
}

/**
 * Returns whether a replayed agent has reached its recorded crash: it has received a request to which the recorded
 * agent never responded, and it can send no further message before the client sends one.
 */
export function isDying(steps: readonly Step[]): boolean {
  const speechless = steps.every((step) => !step.ours || step.state === "done" || !isAwake(step));
  return speechless && steps.some((step) => isUnanswered(step) && step.state === "done");
}

/** Returns the exit of the recorded agent, if requests were open when it exited. */
export function deathOf(run: Recording, steps: readonly Step[]): ReplayReport["died"] {
  const exit = run.entries.findLast((entry) => entry.kind === "process" && entry.event === "exited");
  if (exit?.kind !== "process" || exit.event !== "exited" || !steps.some(isUnanswered)) return undefined;
  return { exitCode: exit.exitCode, signal: exit.signal };
}

function isUnanswered({ ours, kind, response }: Step): boolean {
  return !ours && kind === "request" && response === undefined;
}

/** Returns the messages that the live peer did not send. A response counts only if its request was sent. */
export function missingOf(steps: readonly Step[]): Difference[] {
  return steps
    .filter(
      ({ ours, kind, request, state }) =>
        !ours && state !== "done" && (kind !== "response" || request?.state === "done"),
    )
    .map(({ from, method, kind, index }) => ({ kind: "missing", from, method, part: kind, entry: index, changes: [] }));
}
