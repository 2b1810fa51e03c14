import type { Observers } from "./observers.js";
import type { ConnectionOptions } from "./options.js";

/** Returns the key of a message's lane; `undefined` if the message is not ordered. */
export type LaneOf = (method: string, params: unknown) => string | undefined;

/**
 * Returns a function that calls the application's `orderBy`. Without `orderBy`, all messages share one lane. A message
 * for which `orderBy` throws is not ordered.
 */
export function laneOf({ orderBy }: ConnectionOptions, observers: Observers): LaneOf {
  if (orderBy === undefined) return () => "";
  return (method, params) => {
    try {
      return orderBy(method, params);
    } catch (cause) {
      observers.report({ code: "hook_failed", message: `orderBy failed for ${method}`, method, cause });
      return undefined;
    }
  };
}
