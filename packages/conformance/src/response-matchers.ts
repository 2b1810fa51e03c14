import type { ResponseMatcher } from "./finding.js";
import { isObject, member } from "./wire/values.js";

export const isSuccess: ResponseMatcher = ({ error }) => !error;

export const isAnyError: ResponseMatcher = ({ error }) => Boolean(error);

export const isObjectResult: ResponseMatcher = ({ result }) => isObject(result);

/** Matches an error with one of these codes. */
export const isError =
  (...codes: readonly number[]): ResponseMatcher =>
  ({ error }) =>
    codes.includes(member(error, "code") as number);

/** Matches results, and errors with other codes. */
export const isNotError =
  (code: number): ResponseMatcher =>
  ({ error }) =>
    member(error, "code") !== code;
