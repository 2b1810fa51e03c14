import type {
  IncomingRequestPermissionRequest,
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionOutcome,
} from "@acp-kit/schema";
import type { ClientContext } from "./connect-options.js";

/**
 * What a permission handler decides: the kind of option it chooses (never an index: agents order them as they like), a whole outcome, or
 * nothing, which leaves the decision to the next handler.
 */
export type PermissionAnswer = PermissionOptionKind | "cancelled" | RequestPermissionOutcome | undefined;

/**
 * Decides whether a tool call may run. Its `context.signal` aborts when the turn is cancelled; it is answered `cancelled` then.
 *
 * It is an async function: were a plain answer allowed too, TypeScript would widen the `"allow_once"` of an async one to `string`.
 */
export type PermissionHandler = (
  request: IncomingRequestPermissionRequest,
  context: ClientContext,
) => Promise<PermissionAnswer>;

/** Nobody decided, or nobody may any more. */
export const cancelledOutcome: RequestPermissionOutcome = { outcome: "cancelled" };

/**
 * The option a kind stands for. An agent that doesn't offer it gets the weaker one of the same meaning (`allow_once` for `allow_always`), never
 * a stronger one.
 */
export function optionOfKind(
  options: readonly PermissionOption[],
  kind: PermissionOptionKind,
): PermissionOption | undefined {
  const weaker = kind === "allow_always" ? "allow_once" : kind === "reject_always" ? "reject_once" : undefined;
  return options.find((option) => option.kind === kind) ?? options.find((option) => option.kind === weaker);
}

/** Brings an answer to what the wire takes. `undefined` when it names an option that was not offered. */
export function outcomeOf(
  answer: Exclude<PermissionAnswer, undefined>,
  options: readonly PermissionOption[],
): RequestPermissionOutcome | undefined {
  if (answer === "cancelled") return cancelledOutcome;
  if (typeof answer === "string") {
    const option = optionOfKind(options, answer);
    return option && { outcome: "selected", optionId: option.optionId };
  }
  if (answer.outcome !== "selected") return cancelledOutcome;
  return options.some(({ optionId }) => optionId === answer.optionId) ? answer : undefined;
}
