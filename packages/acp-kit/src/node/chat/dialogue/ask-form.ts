import type { ElicitationOf } from "@acp-kit/client";
import type { CreateElicitationResponse } from "@acp-kit/types";
import { cleanLine, cleanText } from "../text/clean.js";
import type { Paint } from "../text/paint.js";
import { type FieldValue, type FormField, formFields } from "./form-field.js";
import type { Asker } from "./question.js";

/** The dependencies of {@link askForm}: who prompts the user, text styles, and a signal that aborts the form. */
export interface Interview {
  readonly asker: Asker;
  readonly paint: Paint;
  readonly signal?: AbortSignal;
}

/** Prompts the user for each field of a form, then for permission to send them. Each prompt can be cancelled. */
export async function askForm(
  { message, requestedSchema }: ElicitationOf<"form">,
  interview: Interview,
): Promise<CreateElicitationResponse> {
  const { asker, paint, signal } = interview;
  const fields = formFields(requestedSchema);
  const content: Record<string, FieldValue> = {};
  const head = cleanText(message)
    .split("\n")
    .map((line, index) => (index === 0 ? `${paint.yellow("?")} ${paint.bold(line)}` : `  ${line}`));
  for (const [index, field] of fields.entries()) {
    const value = await askField(field, [...head, paint.dim(`  ${index + 1} of ${fields.length}`)], interview);
    if (value === undefined) return { action: "cancel" };
    if (value !== skipped) Object.defineProperty(content, field.name, { value, enumerable: true, configurable: true });
  }
  const answers = fields.flatMap(({ name, title }) =>
    Object.hasOwn(content, name) ? [`  ${title}: ${paint.bold(cleanLine(String(content[name])))}`] : [],
  );
  const sent = await asker.ask({
    lines: [...head, ...answers],
    choices: [
      { key: "y", label: "Send", value: "accept" },
      { key: "n", label: "Don't send", value: "decline" },
    ],
    signal,
  });
  if (sent === "accept") return { action: "accept", content };
  return { action: sent === "decline" ? "decline" : "cancel" };
}

const skipped = Symbol("skipped");

async function askField(
  field: FormField,
  head: readonly string[],
  { asker, paint, signal }: Interview,
): Promise<FieldValue | typeof skipped | undefined> {
  const { title, description, required, options, initial, hint } = field;
  const notes = [hint, ...(required ? [] : ["optional"]), ...(initial === undefined ? [] : [`Enter: ${initial}`])];
  const lines = [
    ...head,
    `  ${paint.bold(title)} ${paint.dim(`(${notes.join("; ")})`)}`,
    ...(description ? [paint.dim(`  ${description}`)] : []),
    ...options.map((option, index) => `  ${paint.cyan(String(index + 1))} ${option.title}`),
  ];
  const check = (text: string): string | undefined => {
    if (text.trim() === "") return required && initial === undefined ? "This field is required." : undefined;
    const value = field.read(text.trim());
    return value instanceof Error ? `Expected ${value.message}.` : undefined;
  };
  const text = await asker.ask({ lines, check, ...(initial !== undefined && { initial }), signal });
  if (text === undefined) return undefined;
  const value = text.trim() === "" ? skipped : field.read(text.trim());
  return value instanceof Error ? skipped : value;
}
