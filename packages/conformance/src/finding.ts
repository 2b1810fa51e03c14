import { requirementOf } from "./requirements/find-requirement.js";
import type { Finding } from "./verdict.js";
import { shown } from "./wire/values.js";

/** A response of the peer, as far as a finding describes it. */
export interface ReceivedResponse {
  readonly result?: unknown;
  readonly error?: unknown;
  /** The entries of the request and of its response. */
  readonly where?: NonNullable<Finding["where"]>;
}

/** What shows that the peer broke a rule. */
export interface Evidence {
  /** The message or action of the test, in plain words. */
  readonly sent: string;
  /** The reaction of the peer in plain words, or a response, which the finding then describes and points to. */
  readonly received: string | ReceivedResponse;
  /** The expected behaviour, if it is more exact than the rule. @defaultValue the text of the rule */
  readonly explanation?: string | undefined;
  /** How to fix the peer, if the remedy of the rule is about another way to break it. */
  readonly remedy?: string;
  /** See {@link Finding.advice}. */
  readonly advice?: boolean;
  /** The entries that show the broken rule. @defaultValue those of the response in `received` */
  readonly where?: NonNullable<Finding["where"]>;
}

/** Returns whether a response is one that the rule allows. */
export interface ResponseMatcher {
  (response: ReceivedResponse): boolean;
  /** The expected response, for the finding. @defaultValue the text of the rule */
  readonly says?: string;
}

/** Creates the finding that a rule is broken. */
export function findingOf(rule: string, { sent, received, explanation, remedy, advice, where }: Evidence): Finding {
  const place = where ?? (typeof received === "string" ? undefined : received.where);
  return {
    requirement: rule,
    sent,
    received: typeof received === "string" ? received : responseText(received),
    explanation: explanation ?? requirementOf(rule).rule,
    ...(remedy !== undefined && { remedy }),
    ...(advice && { advice: true }),
    ...(place && { where: place }),
  };
}

/** Describes a response for a finding. */
export function responseText({ error, result }: ReceivedResponse): string {
  return error ? `the error ${shown(error)}` : `the result ${shown(result)}`;
}
