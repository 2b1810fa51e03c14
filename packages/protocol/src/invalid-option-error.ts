const brand = Symbol.for("acp-kit.InvalidOptionError");

/**
 * An option or handler passed to this library is missing, misspelt, or of the wrong type. Thrown before anything is started or sent.
 * TypeScript finds most of these at compile time; this error is for JavaScript.
 */
export class InvalidOptionError extends TypeError {
  override readonly name = "InvalidOptionError";
  /** The function that was called, such as `createAgent`. */
  readonly caller: string;
  /** The option, by its path: `prompt`, `files.readTextFile`. */
  readonly option: string;
  /** The name that was probably meant, when {@link option} is misspelt. */
  readonly suggestion: string | undefined;

  constructor(caller: string, option: string, problem: string, suggestion?: string) {
    super(`${caller}: "${option}" ${problem}${suggestion ? `; did you mean "${suggestion}"?` : ""}`);
    this.caller = caller;
    this.option = option;
    this.suggestion = suggestion;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Holds across duplicate installs and realms, where `instanceof` does not. */
export function isInvalidOptionError(value: unknown): value is InvalidOptionError {
  return typeof value === "object" && value !== null && brand in value;
}
