import { runInNewContext } from "node:vm";
import type { IncomingElicitationSchema } from "@acp-kit/types";
import { cleanLine } from "../text/clean.js";

/** The value of a field. */
export type FieldValue = string | number | boolean | string[];

/** A field of a form, with the texts and the parser that a prompt needs. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly required: boolean;
  /** The choices, in order. Empty for fields without choices. */
  readonly options: readonly { readonly value: string; readonly title: string }[];
  readonly many: boolean;
  /** The default value as text. An empty answer selects it. */
  readonly initial: string | undefined;
  /** The expected kind of answer, in a few words. */
  readonly hint: string;
  /** Parses an answer. For an invalid one, returns an `Error` whose message describes a valid one: `a whole number`. */
  read(text: string): FieldValue | Error;
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the fields of a form in order. Unknown kinds of fields become text fields. */
export function formFields({ properties = {}, required }: IncomingElicitationSchema): FormField[] {
  return Object.entries(properties).map(([name, property]) => {
    const members = property as Members;
    const base = {
      name,
      title: cleanLine(nonEmptyText(members.title) ?? name),
      description: nonEmptyText(members.description) && cleanLine(String(members.description)),
      required: required?.includes(name) ?? false,
    };
    return { ...base, ...kindOf(members) };
  });
}

type Kind = Pick<FormField, "options" | "many" | "initial" | "hint" | "read">;

function kindOf(property: Members): Kind {
  const { type } = property;
  const plain = { options: [], many: false, initial: initialOf(property.default) };
  if (type === "boolean") return { ...plain, ...yesOrNo, initial: booleanText(property.default) };
  if (type === "integer" || type === "number") {
    return { ...plain, hint: numberHint(property), read: (text) => readNumber(text, property) };
  }
  if (type === "array") {
    const options = optionsOf(Object(property.items) as Members);
    return {
      ...plain,
      options,
      many: true,
      hint: "one or more options, comma-separated",
      read: (text) => readMany(text, options, property),
    };
  }
  const options = optionsOf(property);
  if (options.length > 0) {
    const read = (text: string): FieldValue | Error =>
      optionOf(text, options) ?? new Error(`one of 1–${options.length}`);
    return { ...plain, options, hint: "one of these options", read };
  }
  return { ...plain, hint: nonEmptyText(property.format) ?? "text", read: (text) => readText(text, property) };
}

const yesOrNo = {
  hint: "yes or no",
  read(text: string): FieldValue | Error {
    if (/^(?:y|yes|true|on|1)$/i.test(text)) return true;
    return /^(?:n|no|false|off|0)$/i.test(text) ? false : new Error("yes or no");
  },
};

function optionsOf({ enum: values, oneOf, anyOf }: Members): { value: string; title: string }[] {
  const titled = Array.isArray(oneOf) ? oneOf : anyOf;
  if (Array.isArray(titled)) {
    return titled.map((each) => {
      const { const: value, title } = Object(each) as Members;
      return { value: String(value), title: cleanLine(nonEmptyText(title) ?? String(value)) };
    });
  }
  return Array.isArray(values)
    ? values.map((value) => ({ value: String(value), title: cleanLine(String(value)) }))
    : [];
}

function optionOf(text: string, options: FormField["options"]): string | undefined {
  const wanted = text.toLowerCase();
  const same = ({ value, title }: FormField["options"][number]): boolean =>
    value.toLowerCase() === wanted || title.toLowerCase() === wanted;
  return (options.find(same) ?? options[/^\d+$/.test(text) ? Number(text) - 1 : -1])?.value;
}

function readMany(text: string, options: FormField["options"], { minItems, maxItems }: Members): FieldValue | Error {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const chosen = words.map((word) => optionOf(word, options));
  if (chosen.includes(undefined)) return new Error(`numbers from 1 to ${options.length}, comma-separated`);
  const values = [...new Set(chosen as string[])];
  if (typeof minItems === "number" && values.length < minItems) return new Error(`at least ${minItems}`);
  if (typeof maxItems === "number" && values.length > maxItems) return new Error(`at most ${maxItems}`);
  return values;
}

function readNumber(text: string, { type, minimum, maximum }: Members): FieldValue | Error {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) return new Error("a number");
  if (type === "integer" && !Number.isInteger(number)) return new Error("a whole number");
  if (typeof minimum === "number" && number < minimum) return new Error(`at least ${minimum}`);
  if (typeof maximum === "number" && number > maximum) return new Error(`at most ${maximum}`);
  return number;
}

function readText(text: string, { minLength, maxLength, pattern, format }: Members): FieldValue | Error {
  const { length } = [...text];
  if (typeof minLength === "number" && length < minLength) return new Error(`at least ${minLength} characters`);
  if (typeof maxLength === "number" && length > maxLength) return new Error(`at most ${maxLength} characters`);
  if (typeof pattern === "string" && !fits(text, pattern)) return new Error(`text that fits ${cleanLine(pattern)}`);
  return hasFormat(text, format) ? text : new Error(formats[String(format)] ?? "text");
}

/** The time limit of an agent's pattern, in milliseconds. Some patterns need exponential time even for short texts. */
const patternMs = 100;

/** Returns whether a text matches an agent's pattern. If the pattern is invalid or takes too long, any text matches. */
function fits(text: string, pattern: string): boolean {
  try {
    return runInNewContext("new RegExp(pattern, 'u').test(text)", { text, pattern }, { timeout: patternMs }) === true;
  } catch {
    return true;
  }
}

const formats: Readonly<Record<string, string>> = {
  email: "an e-mail address",
  uri: "a URI such as https://example.com",
  date: "a date such as 2025-12-31",
  "date-time": "a time such as 2025-12-31T23:59:00Z",
};

function hasFormat(text: string, format: unknown): boolean {
  switch (format) {
    case "email":
      return /^[^\s@]+@[^\s@]+$/.test(text);
    case "uri":
      return URL.canParse(text);
    case "date":
      return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
    case "date-time":
      return /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));
    default:
      return true;
  }
}

function numberHint({ type, minimum, maximum }: Members): string {
  const name = type === "integer" ? "a whole number" : "a number";
  if (typeof minimum === "number" && typeof maximum === "number") return `${name} from ${minimum} to ${maximum}`;
  return name;
}

function initialOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function booleanText(value: unknown): string | undefined {
  return typeof value === "boolean" ? (value ? "yes" : "no") : undefined;
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
