import { findingOf } from "../finding.js";
import { weighs } from "../heaviest-tier.js";
import { NO_RESPONSE } from "../no-response.js";
import type { Pace } from "../pace.js";
import { requirementOf } from "../requirements/find-requirement.js";
import { tierOf } from "../requirements/tier.js";
import { Failure, Inconclusive } from "../verdict.js";
import type { PeerExit } from "../wire/peer-process.js";
import { asText, member, shown } from "../wire/values.js";
import type { Incoming, SentRequest } from "./agent-messages.js";
import { streamedUpdates } from "./session-history.js";

/** The error for a request without a response: a broken rule, or a peer that may only be slow. */
export type MissingResponse = Failure | Inconclusive;

/**
 * Thrown when a request got no response and the kit does not know how long a response may take, because no request of
 * the same kind has had one. A scenario can then measure this time with a control: the same exchange without the part
 * that the scenario tests.
 */
export class NoComparableResponse extends Inconclusive {}

/** A request without a response. */
export interface RequestWithoutResponse {
  readonly request: SentRequest;
  /** The rule that a missing response breaks; for a prompt, RPC-04 instead of a rule that is only advice. */
  readonly requirement: string;
  readonly exit: PeerExit | undefined;
  /** All messages of the agent. */
  readonly incoming: readonly Incoming[];
  readonly pace: Pace;
  readonly dialogue: string;
}

/** Returns why a missing response breaks a rule, or why it possibly breaks no rule. */
export function missingResponse({
  request,
  requirement,
  exit,
  incoming,
  pace,
  dialogue,
}: RequestWithoutResponse): MissingResponse {
  const rule = request.mistypedResponse ? "RPC-04" : ruleOfMissing(request.method, requirement);
  const failed = (received: string, explanation: string, more: { seq?: number; remedy?: string } = {}): Failure =>
    new Failure(
      findingOf(rule, {
        sent: `the request ${request.method} with the id ${shown(request.id)}`,
        received,
        explanation,
        ...(more.remedy !== undefined && { remedy: more.remedy }),
        where: { dialogue, seqs: [request.seq, ...(more.seq === undefined ? [] : [more.seq])] },
      }),
    );
  if (request.mistypedResponse) {
    const { message, seq } = request.mistypedResponse;
    const text = 'A response has the id of its request, with the same value and type: 7 is not "7".';
    return failed(`a response with the id ${shown(message.id)}`, text, { seq });
  }
  const text = "Each request gets exactly one response with the same id; this one got none in time.";
  if (exit) {
    const remedy = `Keep the process running: catch what ends it during ${request.method}, and respond with an error.`;
    return failed(`no response: the process ended (${exitText(exit)})`, text, { remedy });
  }
  const waitedMs = performance.now() - request.sinceMs;
  const last = lastUpdate(request, incoming, waitedMs);
  // A turn that still streams has not ended, so its response is not missing. Only a stop makes it too long.
  const isRunning = last !== undefined && !request.isStopped;
  if (!isRunning && pace.isMissing(request.kind, waitedMs)) {
    if (!last || !request.isCancelled) return failed(`${NO_RESPONSE} ${seconds(waitedMs)}`, text);
    return new Failure(
      findingOf("CANCEL-06", {
        sent: `session/cancel during ${request.method} with the id ${shown(request.id)}`,
        received: `${NO_RESPONSE} ${seconds(waitedMs)}, while the turn sends updates`,
        remedy: "Stop the turn when session/cancel arrives: abort the request to the model and the tools that run.",
        where: { dialogue, seqs: [request.seq, last.seq] },
      }),
    );
  }
  const slow = `too slow for these limits: ${request.method} got no response within ${seconds(waitedMs)}; ${optionOf(request.method)} sets a longer limit`;
  return pace.isKnown(request.kind) ? new Inconclusive(slow) : new NoComparableResponse(slow);
}

/** Returns the reason for a response that came after its limit. */
export function lateResponse({ method, sentAtMs, response }: SentRequest, limitMs: number): Inconclusive {
  const tookMs = (response?.atMs ?? performance.now()) - sentAtMs;
  return new Inconclusive(
    `too slow for these limits: the response to ${method} took ${seconds(tookMs)}, ${optionOf(method)} allows ${seconds(limitMs)}`,
  );
}

/** Describes the exit of a process. */
export function exitText(exit: PeerExit): string {
  return exit.signal ? `signal ${exit.signal}` : `exit code ${exit.exitCode}`;
}

/** Returns the rule that a missing response breaks: for a prompt, RPC-04 if `requirement` is only advice. */
function ruleOfMissing(method: string, requirement: string): string {
  return method !== "session/prompt" || weighs(tierOf(requirementOf(requirement))) ? requirement : "RPC-04";
}

/** Returns the last streamed update of the session, if it came in the second half of the wait: the turn still runs. */
function lastUpdate(
  { method, params, sinceMs }: SentRequest,
  incoming: readonly Incoming[],
  waitedMs: number,
): Incoming | undefined {
  if (method !== "session/prompt") return undefined;
  const sessionId = member(params, "sessionId");
  return incoming.findLast(
    ({ method: name, params: update, atMs }) =>
      name === "session/update" &&
      atMs >= sinceMs + waitedMs / 2 &&
      member(update, "sessionId") === sessionId &&
      streamedUpdates.has(asText(member(update, "update", "sessionUpdate"))),
  );
}

function optionOf(method: string): string {
  const name = method === "initialize" ? "start" : method === "session/prompt" ? "turn" : "answer";
  return `--${name}-timeout`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
