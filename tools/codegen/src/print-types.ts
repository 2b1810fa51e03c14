/** A TypeScript type: its text if it is a name or a literal, otherwise its parts. */
export type Type = string | UnionType | IntersectionType | ArrayType | ObjectType;

export interface UnionType {
  readonly anyOf: readonly Type[];
}

export interface IntersectionType {
  readonly allOf: readonly Type[];
}

export interface ArrayType {
  readonly items: Type;
}

export interface ObjectType {
  readonly members: readonly Member[];
  /** The type of all other members, if there may be others. */
  readonly others?: Type | undefined;
  /** The types that an interface extends. Only a declared type can have them. */
  readonly parents?: readonly string[];
}

export interface Member {
  readonly name: string;
  readonly type: Type;
  readonly required: boolean;
  readonly doc?: string | undefined;
}

/** An exported type. */
export interface Declaration {
  readonly name: string;
  readonly type: Type;
  readonly doc?: string | undefined;
}

/** The maximum length of a line with code, and of a line with a comment. */
const [MAX_CODE, MAX_COMMENT] = [120, 140];

/** Prints a declaration: an object as an interface, every other type as an alias. */
export function printDeclaration({ name, type, doc }: Declaration): string {
  if (isObject(type)) {
    const parents = type.parents?.length ? ` extends ${type.parents.join(", ")}` : "";
    return `${comment(doc, "")}export interface ${name}${parents} ${block(type, "")}`;
  }
  const head = `${comment(doc, "")}export type ${name} =`;
  const text = print(type, "");
  const fits = !text.includes("\n") && `export type ${name} = ${text};`.length <= MAX_CODE;
  if (isIntersection(type) && !fits && type.allOf.length + (text.includes("\n") ? 0 : 1) > 2) {
    const [first = "", ...others] = type.allOf;
    return `${head} ${inside(first, "")} &\n  ${print({ allOf: others }, "  ")};`;
  }
  if (!isUnion(type) || fits) return `${head} ${text};`;
  if (!text.includes("\n") && `  ${text};`.length <= MAX_CODE) return `${head}\n  ${text};`;
  return `${head}${onLines(type, "")};`;
}

/** Returns the names in the text of a type, at any depth. Text in quotes has no names. */
export function namesIn(type: Type): string[] {
  if (typeof type === "string") return type.replaceAll(/"[^"]*"/g, "").match(/[A-Za-z_]\w*/g) ?? [];
  if (isUnion(type)) return type.anyOf.flatMap(namesIn);
  if (isIntersection(type)) return type.allOf.flatMap(namesIn);
  if ("items" in type) return namesIn(type.items);
  const { members, others = "", parents = [] } = type;
  return [...parents, ...members.flatMap((member) => namesIn(member.type)), ...namesIn(others)];
}

function isObject(type: Type): type is ObjectType {
  return typeof type === "object" && "members" in type;
}

function isUnion(type: Type): type is UnionType {
  return typeof type === "object" && "anyOf" in type;
}

function isIntersection(type: Type): type is IntersectionType {
  return typeof type === "object" && "allOf" in type;
}

/** Prints a type. `indent` is that of the line on which the type begins. */
function print(type: Type, indent: string): string {
  if (typeof type === "string") return type;
  if (isObject(type)) return block(type, indent);
  if ("items" in type) return `${inside(type.items, indent)}[]`;
  if (isIntersection(type)) return type.allOf.map((part) => inside(part, indent)).join(" & ");
  const texts = alternatives(type).map((part) => alternative(part, indent));
  return texts.some((text) => text.includes("\n")) ? onLines(type, indent) : [...new Set(texts)].join(" | ");
}

/** Prints a union with each alternative on a line of its own. */
function onLines(type: UnionType, indent: string): string {
  return alternatives(type)
    .map((part) => `\n${indent}  | ${alternative(part, `${indent}    `)}`)
    .join("");
}

/** Returns the alternatives of a union and of the unions in it. */
function alternatives({ anyOf }: UnionType): readonly Type[] {
  return anyOf.flatMap((part) => (isUnion(part) ? alternatives(part) : [part]));
}

function alternative(part: Type, indent: string): string {
  return isIntersection(part) ? `(${print(part, indent)})` : print(part, indent);
}

/** Prints a part of an intersection or an array, in parentheses if it has parts of its own. */
function inside(part: Type, indent: string): string {
  return isUnion(part) || isIntersection(part) ? `(${print(part, indent)})` : print(part, indent);
}

function block({ members, others }: ObjectType, indent: string): string {
  const inner = `${indent}  `;
  const lines = members.map(({ name, type, required, doc }) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${comment(doc, inner)}${inner}${key}${required ? "" : "?"}: ${print(type, inner)};\n`;
  });
  if (others !== undefined) lines.push(`${inner}[k: string]: ${print(others, inner)};\n`);
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

function comment(doc: string | undefined, indent: string): string {
  if (doc === undefined) return "";
  const text = doc.replaceAll("*/", "* /");
  const line = `${indent}/** ${text} */`;
  if (!text.includes("\n") && line.length <= MAX_COMMENT) return `${line}\n`;
  const lines = text.split("\n").map((each) => `${indent} * ${each}`.trimEnd());
  return [`${indent}/**`, ...lines, `${indent} */`, ""].join("\n");
}
