import type { Issue } from "@acp-kit/types/decode";

/** The validators of the messages that one role sends, by method. */
interface Validators {
  readonly params: object;
  readonly results: object;
}

/**
 * Checks a value with the validator of its method. Methods that the protocol doesn't define are not checked.
 * `undefined` is checked as `{}`, because `{}` is sent for it.
 */
export function checkWith(
  validators: Validators,
  method: string,
  part: "params" | "result",
  value: unknown,
): readonly Issue[] {
  const table = part === "params" ? validators.params : validators.results;
  return (table as Readonly<Record<string, OutgoingValidator>>)[method]?.(value ?? {}) ?? [];
}

type OutgoingValidator = (value: unknown) => readonly Issue[];
