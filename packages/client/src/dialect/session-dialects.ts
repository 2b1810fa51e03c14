import type { Dialects } from "./dialects.js";
import { isMembers } from "./members.js";

/** Checks the response to new, load or resume for differences that are only reported. */
export function checkSessionResponse(dialects: Dialects, method: string, response: unknown): void {
  if (!isMembers(response)) return;
  if (dialects.allows("models") && response.models != null) dialects.markNeeded("models", method);
  if (dialects.allows("unlisted-value") && hasUnlistedValue(response.configOptions)) {
    dialects.markNeeded("unlisted-value", method);
  }
}

/** Whether an option has a value that it doesn't offer. Options come as a list of values, or in groups of them. */
export function hasUnlistedValue(configOptions: unknown): boolean {
  if (!Array.isArray(configOptions)) return false;
  return configOptions.some((option: unknown) => {
    if (!isMembers(option) || !Array.isArray(option.options)) return false;
    const values = option.options.flatMap((item: unknown) => {
      if (!isMembers(item)) return [];
      return Array.isArray(item.options) ? (item.options as unknown[]).filter(isMembers) : [item];
    });
    return !values.some(({ value }) => value === option.currentValue);
  });
}
