const brand = Symbol.for("acp-kit.InvalidOptionError");

/**
 * The error for an option or handler that is missing, misspelt or of the wrong type. The library throws it before it
 * starts or sends anything. TypeScript finds most of these mistakes at compile time; this error is for JavaScript.
 */
export class InvalidOptionError extends TypeError {
  override readonly name = "InvalidOptionError";
  /** The name of the function that was called, such as `createAgent`. */
  readonly caller: string;
  /** The path of the option, such as `prompt` or `files.readTextFile`. */
  readonly option: string;
  /** The name that was probably meant, if {@link option} is misspelt. */
  readonly suggestion: string | undefined;

  constructor(caller: string, option: string, problem: string, suggestion?: string) {
    super(`${caller}: the option "${option}" ${problem}${suggestion ? `; did you mean "${suggestion}"?` : ""}`);
    this.caller = caller;
    this.option = option;
    this.suggestion = suggestion;
    Object.defineProperty(this, brand, { value: true });
  }
}

/**
 * Returns whether an error is an `InvalidOptionError`, even if the package is installed twice or the error was created
 * in another JavaScript realm, such as an iframe.
 */
export function isInvalidOptionError(value: unknown): value is InvalidOptionError {
  return typeof value === "object" && value !== null && brand in value;
}
