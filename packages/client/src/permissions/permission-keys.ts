import type { PermissionOption } from "@acp-kit/types";

/** An option of a permission request, with the keys that choose it. */
export interface PermissionKey {
  readonly option: PermissionOption;
  /** `y`, `a`, `n` or `d` for the first option of each kind, otherwise the number. */
  readonly key: string;
  /** The position of the option, from 1. It chooses the option, too. */
  readonly number: number;
}

const letters: Readonly<Record<string, string>> = {
  allow_once: "y",
  allow_always: "a",
  reject_once: "n",
  reject_always: "d",
};

/**
 * Assigns keys to the options of a permission request, by their kinds: an agent must not choose them, because the user
 * would press `n` for its permission.
 */
export function permissionKeys(options: readonly PermissionOption[]): PermissionKey[] {
  const taken = new Set<string>();
  return options.map((option, index) => {
    const own = Object.hasOwn(letters, option.kind) ? letters[option.kind] : undefined;
    const key = own === undefined || taken.has(own) ? String(index + 1) : own;
    taken.add(key);
    return { option, key, number: index + 1 };
  });
}

/** Returns the option that a key or a number chooses, in any case, or `undefined`. */
export function optionOfKey(options: readonly PermissionOption[], text: string): PermissionOption | undefined {
  const wanted = text.trim().toLowerCase();
  return permissionKeys(options).find(({ key, number }) => key === wanted || String(number) === wanted)?.option;
}

/** The maximum length of a typed text that {@link wrongKeyText} repeats, in UTF-16 units. */
const maxTyped = 20;

/**
 * Returns the sentence that a user interface shows for a key that chooses nothing. Each of the keys also has its
 * number, from 1.
 */
export function wrongKeyText(keys: readonly { readonly key: string }[], typed: string): string {
  const letters = keys.flatMap(({ key }, index) => (key === String(index + 1) ? [] : [key]));
  const numbers = keys.length > 1 ? `1–${keys.length}` : "1";
  const what = typed.trim() === "" ? "This key" : `"${typed.trim().slice(0, maxTyped)}"`;
  return `${what} chooses nothing. The keys are ${[...letters, ...(keys.length > 0 ? [numbers] : [])].join(", ")}.`;
}
