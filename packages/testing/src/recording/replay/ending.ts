import type { Recording } from "../format.js";
import type { Difference } from "./difference.js";
import { isAwake } from "./lane.js";
import type { ReplayReport } from "./replay-options.js";
import type { Step } from "./step.js";

/** As a client: whether everything is sent and responded to; `almost` when the agent should still send updates. */
export function clientIsDone(steps: readonly Step[]): boolean | "almost" {
  if (steps.some(isOwed)) return false;
  const isMissing = ({ ours, kind, state }: Step): boolean => !ours && kind === "notification" && state === "waiting";
  return steps.some(isMissing) ? "almost" : true;
}

function isOwed({ ours, kind, request, state }: Step): boolean {
  if (state === "done") return false;
  if (kind === "response") return request?.state === "done";
  return ours;
}

/** As an agent that died: whether it has sent all recorded messages, with a request open that it never responded to. */
export function isDying(steps: readonly Step[]): boolean {
  const speechless = steps.every((step) => !step.ours || step.state === "done" || !isAwake(step));
  return speechless && steps.some((step) => isUnanswered(step) && step.state === "done");
}

/** Returns how the recorded agent ended, if requests were open then. */
export function deathOf(run: Recording, steps: readonly Step[]): ReplayReport["died"] {
  const exit = run.entries.find((entry) => entry.kind === "process" && entry.event === "exited");
  if (exit?.kind !== "process" || exit.event !== "exited" || !steps.some(isUnanswered)) return undefined;
  return { exitCode: exit.exitCode, signal: exit.signal };
}

function isUnanswered({ ours, kind, response }: Step): boolean {
  return !ours && kind === "request" && response === undefined;
}

/** The messages that the live peer did not send, although it had the request or the occasion. */
export function missingOf(steps: readonly Step[]): Difference[] {
  return steps
    .filter(
      ({ ours, kind, request, state }) =>
        !ours && state !== "done" && (kind !== "response" || request?.state === "done"),
    )
    .map(({ from, method, kind, index }) => ({ kind: "missing", from, method, part: kind, entry: index, changes: [] }));
}
