import { weighs } from "../heaviest-tier.js";
import { NO_RESPONSE } from "../no-response.js";
import type { Pace } from "../pace.js";
import { requirementOf } from "../requirements/find-requirement.js";
import { tierOf } from "../requirements/tier.js";
import { Failure, Inconclusive } from "../verdict.js";
import type { PeerExit } from "../wire/peer-process.js";
import { shown } from "../wire/values.js";
import type { SentRequest } from "./agent-peer.js";

/** The error for a request without a response: a broken rule, or a peer that may only be slow. */
export type MissingResponse = Failure | Inconclusive;

/**
 * Thrown when a request got no response and the kit does not know how long a response may take, because no request of the same kind has had
 * one. A scenario can then measure this time with a control: the same exchange without the part that the scenario tests.
 */
export class NoComparableResponse extends Inconclusive {}

/** A request without a response. */
export interface RequestWithoutResponse {
  readonly request: SentRequest;
  /** The rule that a missing response breaks. If the request is a prompt and this rule is only advice, the finding cites RPC-04 instead. */
  readonly requirement: string;
  readonly exit: PeerExit | undefined;
  readonly pace: Pace;
  readonly dialogue: string;
}

/** Returns why a missing response breaks a rule, or why it possibly breaks no rule. */
export function missingResponse({
  request,
  requirement,
  exit,
  pace,
  dialogue,
}: RequestWithoutResponse): MissingResponse {
  const failed = (received: string, explanation: string, ...seqs: readonly number[]): Failure =>
    new Failure({
      requirement: request.mistypedResponse ? "RPC-04" : ruleOfMissing(request.method, requirement),
      sent: `the request ${request.method} with the id ${shown(request.id)}`,
      received,
      explanation,
      where: { dialogue, seqs: [request.seq, ...seqs] },
    });
  if (request.mistypedResponse) {
    const { message, seq } = request.mistypedResponse;
    const text = 'A response has the id of its request, with the same value and type: 7 is not "7".';
    return failed(`a response with the id ${shown(message.id)}`, text, seq);
  }
  const text = "Each request gets exactly one response with the same id; this one got none in time.";
  if (exit) return failed(`no response: the process ended (${exitText(exit)})`, text);
  const waitedMs = performance.now() - request.sinceMs;
  if (pace.isMissing(request.kind, waitedMs)) return failed(`${NO_RESPONSE} ${seconds(waitedMs)}`, text);
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

/** Returns the rule that a missing response breaks: RPC-04 for a prompt if `requirement` is only advice, otherwise `requirement`. */
function ruleOfMissing(method: string, requirement: string): string {
  return method !== "session/prompt" || weighs(tierOf(requirementOf(requirement))) ? requirement : "RPC-04";
}

function optionOf(method: string): string {
  const name = method === "initialize" ? "start" : method === "session/prompt" ? "turn" : "answer";
  return `--${name}-timeout`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
