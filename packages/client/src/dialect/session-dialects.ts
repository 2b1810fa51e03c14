import { isJsonObject } from "@acp-kit/protocol/internal";
import type { Dialects } from "./dialects.js";

/** Checks the response to `session/new`, `session/load` or `session/resume` for deviations that are only reported. */
export function checkSessionResponse(dialects: Dialects, method: string, response: unknown): void {
  if (!isJsonObject(response)) return;
  if (dialects.allows("models") && response.models != null) dialects.markNeeded("models", method);
  if (dialects.allows("unlisted-value") && hasUnlistedValue(response.configOptions)) {
    dialects.markNeeded("unlisted-value", method);
  }
}

/**
 * Converts the response to `session/set_config_option`. If the response has no list of options, the result has none
 * either: the client then knows only that the value is set.
 */
export function readOptionResponse(dialects: Dialects, method: string, response: unknown): unknown {
  if (isJsonObject(response) && Array.isArray(response.configOptions)) return response;
  if (typeof response !== "object") return response;
  dialects.markNeeded("option-response", method);
  return Array.isArray(response) ? { configOptions: response } : undefined;
}

/**
 * Returns whether an option has a current value that it doesn't offer. An option offers a list of values, or a list of
 * groups of values.
 */
export function hasUnlistedValue(configOptions: unknown): boolean {
  if (!Array.isArray(configOptions)) return false;
  return configOptions.some((option: unknown) => {
    if (!isJsonObject(option) || !Array.isArray(option.options)) return false;
    const values = option.options.flatMap((item: unknown) => {
      if (!isJsonObject(item)) return [];
      return Array.isArray(item.options) ? (item.options as unknown[]).filter(isJsonObject) : [item];
    });
    return !values.some(({ value }) => value === option.currentValue);
  });
}
