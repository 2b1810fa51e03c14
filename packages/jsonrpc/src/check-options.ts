import { InvalidOptionError } from "./invalid-option-error.js";
import { nearestName } from "./nearest-name.js";
import { quote } from "./quote.js";
import { shorten } from "./shorten.js";

/** The kind of an option: a function, another value, or one of the listed values. A `!` marks required options. */
export type OptionKind = "function" | "function!" | "value" | "value!" | readonly unknown[];

/** The kind of each option of a function: the type makes sure that none is forgotten, and lists its texts. */
export type OptionKinds<Options extends object> = {
  readonly [Name in keyof Options]-?: KindOf<NonNullable<Options[Name]>>;
};

type KindOf<Value> = [Value] extends [(...args: never[]) => unknown]
  ? "function" | "function!"
  : [Value] extends [string]
    ? string extends Value
      ? "value" | "value!"
      : readonly Value[]
    : OptionKind;

/**
 * Checks the names, kinds and listed values of options and handlers. In an instance of a class, unknown members are
 * never errors. Members that are `undefined` are ignored.
 *
 * @param caller the name of the function that takes the options, for the message.
 * @param path the path of the checked object inside the options of `caller`, such as `files.`; `""` for the options
 * themselves.
 * @param open with `isOpen`, unknown values are accepted, unless their name is similar to that of an absent option. It
 * is for functions that take an object with more members, such as the agent that `resolveAgent` returns.
 * @throws {InvalidOptionError} for the first member that is unknown, missing, of the wrong kind or not one of the
 * listed values.
 */
export function checkOptions<Options extends object>(
  caller: string,
  options: unknown,
  kinds: OptionKinds<Options>,
  path = "",
  { isOpen = false }: { readonly isOpen?: boolean } = {},
): void {
  const fail = (option: string, problem: string, suggestion?: string): never => {
    throw new InvalidOptionError(caller, option, problem, suggestion);
  };
  if (typeof options !== "object" || options === null) {
    fail(path.slice(0, -1) || "options", `must be an object, not ${options === null ? options : typeof options}`);
  }
  const given = options as Readonly<Record<string, unknown>>;
  const known = kinds as Readonly<Record<string, OptionKind>>;
  if (isPlain(given)) {
    for (const name in given) {
      if (Object.hasOwn(known, name) || given[name] === undefined) continue;
      const suggestion = nearestName(
        name,
        Object.keys(known).filter((each) => given[each] == null),
      );
      if (isOpen && suggestion === undefined && typeof given[name] !== "function") continue;
      fail(path + shorten(name, 64), "is unknown", suggestion);
    }
  }
  for (const name in known) {
    const kind = known[name] as OptionKind;
    const value = given[name];
    if (value == null) {
      if (kind === "value!" || kind === "function!") fail(path + name, "is missing");
    } else if (typeof kind !== "string") {
      if (!kind.includes(value))
        fail(path + name, `must be ${listed(kind)}, not ${shown(value)}`, nearestOf(value, kind));
    } else if (kind.startsWith("f") && typeof value !== "function") {
      fail(path + name, `must be a function, not ${typeof value}`);
    }
  }
}

/** Returns whether an object is plain, and not an instance of a class, also of other realms. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const shown = (value: unknown): string =>
  typeof value === "string" ? quote(value, 64) : typeof value === "boolean" ? `${value}` : typeof value;

const listed = (values: readonly unknown[]): string => values.map(shown).join(" or ");

function nearestOf(value: unknown, values: readonly unknown[]): string | undefined {
  const texts = values.filter((each): each is string => typeof each === "string");
  return typeof value === "string" ? nearestName(value, texts) : undefined;
}
