import type { ReceivedResponse, ResponseMatcher } from "./finding.js";
import { isObject, type Json, member, shown } from "./wire/values.js";

export const isSuccess: ResponseMatcher = ({ error }) => !error;

export const isAnyError: ResponseMatcher = ({ error }) => Boolean(error);

export const isObjectResult: ResponseMatcher = ({ result }) => isObject(result);

/** Matches an error with one of these codes. */
export const isError =
  (...codes: readonly number[]): ResponseMatcher =>
  ({ error }) =>
    codes.includes(member(error, "code") as number);

/** Matches results, and errors with this code. */
export const isSuccessOr =
  (code: number): ResponseMatcher =>
  ({ error }) =>
    !error || member(error, "code") === code;

/** Matches results, and errors with other codes. */
export const isNotError =
  (code: number): ResponseMatcher =>
  ({ error }) =>
    member(error, "code") !== code;

export const isRefusal: ResponseMatcher = saying(isAnyError, "The request gets an error response.");

export const isRefusalWith = (code: number): ResponseMatcher =>
  saying(isError(code), `The response is an error with the code ${code}.`);

/** Matches results with these members, which may be objects with members. */
export const isResultWith = (members: Json): ResponseMatcher =>
  saying(({ result }) => has(result, members), `The result has ${shown(members)}.`);

function has(value: unknown, members: Json): boolean {
  return Object.entries(members).every(([name, expected]) => {
    const actual = member(value, name);
    return isObject(expected) ? has(actual, expected) : actual === expected;
  });
}

function saying(matches: (response: ReceivedResponse) => boolean, says: string): ResponseMatcher {
  return Object.assign((response: ReceivedResponse) => matches(response), { says });
}
