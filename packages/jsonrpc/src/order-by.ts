import type { Observers } from "./observers.js";
import type { ConnectionOptions } from "./options.js";

/** Returns the lane of a message; `undefined` for none. */
export type LaneOf = (method: string, params: unknown) => string | undefined;

/** Calls the application's `orderBy`. Without one all messages share one lane; a message for which it throws has none. */
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
