/** A TypeScript expression that {@link sourceOf} writes instead of a JSON value, such as the name of a constant. */
export class Expression {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

const MAX_LINE = 100;
/** Characters that end a line, are invisible or change direction: an editor shows other source with them. */
const unsafe = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Returns a JSON value, which may contain {@link Expression}s, as an expression of TypeScript. */
export function sourceOf(value: unknown, indent = ""): string {
  if (value instanceof Expression) return value.source;
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object" || value === null) return String(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = Array.isArray(value)
    ? value.map((item) => sourceOf(item, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${keyOf(name)}: ${sourceOf(member, inner)}`);
  if (parts.length === 0) return open + close;
  const gap = Array.isArray(value) ? "" : " ";
  const line = `${open}${gap}${parts.join(", ")}${gap}${close}`;
  if (line.length <= MAX_LINE && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

/** Returns a text as a string literal without characters that an editor hides. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns a member's name as source: `__proto__` is computed, or a literal would set the prototype. */
function keyOf(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]{0,100}$/.test(name) ? name : quoted(name);
}
