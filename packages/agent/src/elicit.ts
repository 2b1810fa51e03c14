import { DecodeError } from "@acp-kit/protocol";
import type { ElicitationPropertySchema, IncomingCreateElicitationResponse } from "@acp-kit/types";

/** The fields of a form, by name. Each field is described by the subset of JSON Schema that the protocol allows. */
export type FormFields = Readonly<Record<string, ElicitationPropertySchema>>;

/** The type of the value that a user enters into a field of a form. */
export type FormValue<Field> = Field extends { readonly type: "string"; readonly enum: readonly (infer Value)[] }
  ? Value
  : Field extends { readonly type: "string"; readonly oneOf: readonly { readonly const: infer Value }[] }
    ? Value
    : Field extends { readonly type: "string" }
      ? string
      : Field extends { readonly type: "number" | "integer" }
        ? number
        : Field extends { readonly type: "boolean" }
          ? boolean
          : Field extends { readonly type: "array" }
            ? string[]
            : unknown;

/**
 * The values that a user entered into a form. Required fields always have a value; other fields have a value only if
 * the user filled them in.
 */
export type FormValues<Fields extends FormFields, Required extends keyof Fields> = {
  [Name in Required]: FormValue<Fields[Name]>;
} & { [Name in Exclude<keyof Fields, Required>]?: FormValue<Fields[Name]> };

/** A form for the user to fill in. */
export interface Form<Fields extends FormFields, Required extends keyof Fields & string> {
  /** The text that says what the form is for, which the client shows to the user. */
  readonly message: string;
  readonly fields: Fields;
  /** The names of the fields that the user must fill in. By default, no field is required. */
  readonly required?: readonly Required[];
  readonly title?: string;
  readonly description?: string;
  /** The id of the tool call that needs the form. */
  readonly toolCallId?: string;
}

/**
 * The user's response to a form: `accept` with the values, `decline`, or `cancel`. An action that this version doesn't
 * know is read as `cancel`.
 */
export type FormAnswer<Values> =
  | { readonly action: "accept"; readonly values: Values }
  | { readonly action: "decline" | "cancel" };

/**
 * Reads the user's response to a form. It checks types, required fields and offered values, because not every client
 * does; it does not check the bounds and patterns of fields.
 *
 * @throws {DecodeError} when a required field is missing or a value is of the wrong type.
 */
export function readFormAnswer<Fields extends FormFields, Required extends keyof Fields & string>(
  { fields, required = [] }: Pick<Form<Fields, Required>, "fields" | "required">,
  response: IncomingCreateElicitationResponse,
): FormAnswer<FormValues<Fields, Required>> {
  if (response.action !== "accept") return { action: response.action === "decline" ? "decline" : "cancel" };
  const content = (response as { content?: Readonly<Record<string, unknown>> | null }).content ?? {};
  const issues = Object.entries(fields).flatMap(([name, field]) => {
    const value = Object.hasOwn(content, name) ? content[name] : undefined;
    const wrong = value === undefined ? missing(name, required) : mismatch(field, value);
    return wrong === undefined ? [] : [{ path: ["content", name], message: wrong }];
  });
  if (issues.length > 0) throw new DecodeError(issues);
  const known = Object.keys(fields).filter((name) => Object.hasOwn(content, name));
  const values = Object.fromEntries(known.map((name) => [name, content[name]]));
  return { action: "accept", values: values as FormValues<Fields, Required> };
}

function missing(name: string, required: readonly string[]): string | undefined {
  return required.includes(name) ? "must be filled in: the value is missing" : undefined;
}

function mismatch(field: ElicitationPropertySchema, value: unknown): string | undefined {
  switch (field.type) {
    case "string":
      if (typeof value !== "string") return "must be a string";
      return isOffered(choices(field), value) ? undefined : "must be one of the values that were offered";
    case "number":
      return typeof value === "number" ? undefined : "must be a number";
    case "integer":
      return Number.isInteger(value) ? undefined : "must be an integer";
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "array":
      if (!Array.isArray(value) || value.some((item) => typeof item !== "string")) return "must be a list of strings";
      return value.every((item) => isOffered(choices((field as { items?: object }).items ?? {}), item))
        ? undefined
        : "must contain only values that were offered";
    default:
      return undefined; // a field type that the protocol does not define
  }
}

/** Returns the values that a field offers, or `undefined` if the field does not list any. */
function choices(field: object): readonly string[] | undefined {
  const {
    enum: values,
    oneOf,
    anyOf,
  } = field as {
    enum?: readonly string[] | null;
    oneOf?: readonly { const: string }[] | null;
    anyOf?: readonly { const: string }[] | null;
  };
  return values ?? (oneOf ?? anyOf)?.map((choice) => choice.const) ?? undefined;
}

const isOffered = (offered: readonly string[] | undefined, value: string): boolean =>
  offered === undefined || offered.includes(value);
