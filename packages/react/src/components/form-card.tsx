import type {
  CreateElicitationResponse,
  ElicitationContentValue,
  IncomingElicitationPropertySchema,
} from "@acp-kit/types";
import { type ReactElement, type ReactNode, type SyntheticEvent, useId, useRef, useState } from "react";
import type { FormRequest } from "../store/form-requests.js";
import { classNames } from "./class-names.js";
import { ownValue } from "./own-value.js";
import { plainLine, plainText, safeHref } from "./plain-text.js";
import { useReturnedFocus } from "./use-returned-focus.js";

/** Props of {@link FormCard}. */
export interface FormCardProps {
  readonly request: FormRequest["request"];
  /** Called with the user's response: accept with the content of the form, decline or cancel. */
  readonly onRespond: (response: CreateElicitationResponse) => void;
  /** Whether the agent has reported that the page of a `url` request is completed. */
  readonly completed?: boolean;
  readonly className?: string;
}

const MAX_FIELDS = 100;

/**
 * Shows a request of the agent: a form that the user fills in, or a web page that the user opens. The card shows the
 * whole address of the page, and opens the page only when the user clicks.
 */
export function FormCard({ request, onRespond, completed = false, className }: FormCardProps): ReactElement {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const onFocus = useReturnedFocus(form);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const isForm = "requestedSchema" in request;
  const properties = isForm ? Object.entries(request.requestedSchema.properties ?? {}).slice(0, MAX_FIELDS) : [];
  const required = new Set(isForm ? request.requestedSchema.required : []);
  const onSubmit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const content: Record<string, ElicitationContentValue> = {};
    const found = new Map<string, string>();
    for (const [index, [name, schema]] of properties.entries()) {
      const field = `field-${index}`;
      const value = fieldValue(schema, data.getAll(field).map(String), required.has(name));
      const problem = value === undefined ? undefined : problemOf(schema, value);
      if (problem !== undefined) found.set(field, problem);
      if (value !== undefined) Object.defineProperty(content, name, { value, enumerable: true });
    }
    setProblems(found);
    const [wrong] = found.keys();
    if (wrong !== undefined) {
      const control = event.currentTarget.elements.namedItem(wrong);
      if (control instanceof HTMLElement) control.focus();
      return;
    }
    onRespond({ action: "accept", ...(isForm && { content }) });
  };
  return (
    <form
      ref={form}
      className={classNames("acp-form", className)}
      aria-labelledby={id}
      onFocus={onFocus}
      onSubmit={onSubmit}
    >
      <p id={id} className="acp-form-message">
        {plainText(request.message)}
      </p>
      {properties.map(([name, schema], index) => (
        <Field
          key={name}
          name={name}
          field={`field-${index}`}
          schema={schema}
          required={required.has(name)}
          problem={problems.get(`field-${index}`)}
        />
      ))}
      {"url" in request && <PageLink url={request.url} completed={completed} />}
      <div className="acp-form-actions">
        <button type="submit">{isForm ? "Send" : "Done"}</button>
        <button type="button" onClick={() => onRespond({ action: "decline" })}>
          Decline
        </button>
        <button type="button" onClick={() => onRespond({ action: "cancel" })}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function PageLink({ url, completed }: { readonly url: string; readonly completed: boolean }): ReactElement {
  const href = safeHref(url);
  return (
    <p>
      <code className="acp-url">{plainText(url)}</code>{" "}
      {href === undefined ? (
        <span className="acp-problem">This address can't be opened, because it may be unsafe.</span>
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer nofollow">
          Open this page
        </a>
      )}
      {completed && <span role="status"> The agent reports that it is completed.</span>}
    </p>
  );
}

interface FieldProps {
  readonly name: string;
  readonly field: string;
  readonly schema: IncomingElicitationPropertySchema;
  readonly required: boolean;
  /** Why the value can't be sent; `undefined` if it can. */
  readonly problem: string | undefined;
}

function Field({ name, field, schema, required, problem }: FieldProps): ReactElement {
  const id = useId();
  const members = schema as { type: string } & Readonly<Record<string, unknown>>;
  const label = plainLine(members.title, 200) || plainLine(name, 200);
  const description = plainText(members.description).slice(0, 2_000);
  return (
    <div className="acp-field">
      <label htmlFor={id}>
        <bdi>{label}</bdi>
        {required && <span className="acp-note"> (required)</span>}
      </label>
      {control({ id, name: field, required, ...(problem !== undefined && invalid(id)) }, members)}
      {problem !== undefined && (
        <p id={`${id}problem`} className="acp-problem" role="alert">
          {problem}
        </p>
      )}
      {description !== "" && <p className="acp-note">{description}</p>}
    </div>
  );
}

interface ControlAttributes {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  readonly "aria-invalid"?: true;
  readonly "aria-describedby"?: string;
}

function invalid(id: string): Pick<ControlAttributes, "aria-invalid" | "aria-describedby"> {
  return { "aria-invalid": true, "aria-describedby": `${id}problem` };
}

function control(common: ControlAttributes, schema: Readonly<Record<string, unknown>>): ReactNode {
  const { id, name, required } = common;
  const choices = choicesOf(schema);
  if (schema.type === "boolean") {
    return <input id={id} name={name} type="checkbox" value="true" defaultChecked={schema.default === true} />;
  }
  if (choices !== undefined) {
    const isMultiple = schema.type === "array";
    const initial = isMultiple ? listOf(schema.default) : controlText(schema.default ?? null);
    const isChosen = choices.some(({ value }) => value === initial);
    return (
      <select {...common} multiple={isMultiple} defaultValue={initial}>
        {!isMultiple && !(required && isChosen) && <option value="">–</option>}
        {choices.map(({ value, title }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two choices may have the same value, and choices never move
          <option key={index} value={value}>
            {title}
          </option>
        ))}
      </select>
    );
  }
  if (schema.type === "number" || schema.type === "integer") {
    const { minimum, maximum } = schema;
    return (
      <input
        {...common}
        type="number"
        step={schema.type === "integer" ? 1 : "any"}
        {...(typeof minimum === "number" && { min: minimum })}
        {...(typeof maximum === "number" && { max: maximum })}
        defaultValue={typeof schema.default === "number" ? schema.default : undefined}
      />
    );
  }
  return (
    <input
      {...common}
      type={ownValue(inputTypes, controlText(schema.format)) ?? "text"}
      defaultValue={plainText(schema.default)}
    />
  );
}

const inputTypes: Readonly<Record<string, string>> = { email: "email", uri: "url", date: "date" };

function choicesOf(schema: Readonly<Record<string, unknown>>): { value: string; title: string }[] | undefined {
  const from = schema.type === "array" ? (Object(schema.items) as Readonly<Record<string, unknown>>) : schema;
  const titled = Array.isArray(from.oneOf) ? from.oneOf : Array.isArray(from.anyOf) ? from.anyOf : undefined;
  if (titled !== undefined) {
    return titled.slice(0, 500).map((each) => {
      const { const: value, title } = Object(each) as Readonly<Record<string, unknown>>;
      return { value: controlText(value), title: plainLine(title, 200) || plainLine(value, 200) };
    });
  }
  if (!Array.isArray(from.enum)) return undefined;
  return from.enum.slice(0, 500).map((each) => {
    const value = controlText(each);
    return { value, title: plainLine(value, 200) };
  });
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(controlText) : [];
}

/** Returns a value as the text of a control; an object has none, because its `toString` may be no function. */
function controlText(value: unknown): string {
  return typeof value === "object" ? "" : String(value);
}

function fieldValue(
  schema: IncomingElicitationPropertySchema,
  values: string[],
  required: boolean,
): ElicitationContentValue | undefined {
  const [first = ""] = values;
  switch (schema.type) {
    case "boolean":
      return first === "true";
    case "array": {
      const members = { ...schema } as Readonly<Record<string, unknown>>;
      const { minItems } = members;
      const items = choicesOf(members) === undefined ? values.filter((value) => value !== "") : values;
      const isLeftOut = items.length === 0 && !required && typeof minItems === "number" && minItems > 0;
      return isLeftOut ? undefined : items;
    }
    case "number":
    case "integer":
      return first === "" || Number.isNaN(Number(first)) ? undefined : Number(first);
    default:
      return first === "" ? undefined : first;
  }
}

/**
 * Returns why a value can't be sent, or `undefined` if it can. The browser checks the other constraints. It does not
 * check the length of a default value, and counts UTF-16 units, while JSON Schema counts characters. The agent checks
 * its pattern itself: a regular expression of an agent could block the page.
 */
function problemOf(schema: IncomingElicitationPropertySchema, value: ElicitationContentValue): string | undefined {
  const { minItems, maxItems, minLength, maxLength } = schema as Readonly<Record<string, unknown>>;
  if (Array.isArray(value)) {
    const { length } = value;
    if (typeof minItems === "number" && length < minItems) return `Choose at least ${minItems}.`;
    return typeof maxItems === "number" && length > maxItems ? `Choose at most ${maxItems}.` : undefined;
  }
  if (typeof value !== "string") return undefined;
  const { length } = [...value];
  if (typeof minLength === "number" && length < minLength) return `Write at least ${minLength} characters.`;
  if (typeof maxLength === "number" && length > maxLength) return `Write at most ${maxLength} characters.`;
  return undefined;
}
