import { hotDefinitions } from "./hot.js";
import type { Node, SchemaIr } from "./ir.js";
import { isIdentifier } from "./names.js";

/**
 * Options of the generated decoders. The published decoders have both options on, because they decode received
 * messages. Tests turn them off to compare with stricter decoders.
 */
export interface DecoderMode {
  /** Whether to apply `x-deserialize-*` and defaults. Without it, decoders accept exactly what the schema does. */
  readonly recover: boolean;
  /** Whether to accept unknown tags even if the schema's union is closed (most unions of v1). */
  readonly openUnions: boolean;
  /** The definitions whose checks are functions instead of data. Default: the definitions that `hot.ts` returns. */
  readonly code?: "all" | "none";
}

/** How the check of a node is written. */
export type Form =
  /** Every value is valid, so there is no check. */
  | { readonly kind: "any" }
  /** A condition on an expression. The condition may contain the expression several times. */
  | {
      readonly kind: "test";
      readonly holds: (value: string) => string;
      readonly fails: (value: string) => string;
      readonly nullable: boolean;
      readonly expected: string;
    }
  /** A call of a function that records an issue itself. */
  | {
      readonly kind: "call";
      readonly holds: (value: string) => string;
      /** The name of the called function, if the call is just `checkX(value, run)`. */
      readonly check: string | undefined;
      readonly nullable: boolean;
      /** Whether the function may repair a part of the value. Its reports then need the path of the member. */
      readonly changes: boolean;
      readonly expected: string;
      /** For a list without bounds: the runtime function that decodes it, and the check of its items. */
      readonly list?: { readonly runtime: string; readonly item: string } | undefined;
    };

/** The last statements of a function, and whether they may repair something. */
export interface Ending {
  readonly statements: readonly string[];
  readonly changes: boolean;
}

/** A module of decoders that is being generated: its checks so far, and the runtime functions that they use. */
export class DecoderModule {
  readonly ir: SchemaIr;
  readonly mode: DecoderMode;
  /** Returns the form of a node. `name` is the name of its function, after `check`. */
  readonly formOf: (module: DecoderModule, node: Node, name: string, lenientItems?: boolean) => Form;
  readonly #checks = new Map<string, string>();
  readonly #definitions = new Map<string, Form>();
  readonly #runtime = new Set<string>();
  readonly #hot: ReadonlySet<string>;
  #isHot = false;

  constructor(ir: SchemaIr, mode: DecoderMode, formOf: DecoderModule["formOf"]) {
    this.ir = ir;
    this.mode = mode;
    this.formOf = formOf;
    this.#hot = new Set(mode.code === "all" ? ir.definitions.keys() : mode.code === "none" ? [] : hotDefinitions(ir));
  }

  /** Whether the current definition is hot (decoded often). Its check is then a function. */
  get isHot(): boolean {
    return this.#isHot;
  }

  /** Returns the source of every check, callees before callers, because data is evaluated in order. */
  get checks(): readonly string[] {
    return [...this.#checks.values()];
  }

  /** Returns the functions and types of the runtime that the module uses, sorted. */
  get imports(): readonly string[] {
    return [...this.#runtime].sort((a, b) => (bare(a) < bare(b) ? -1 : 1));
  }

  /** Records that the module uses a function of the runtime, and returns its name. */
  use(name: string): string {
    this.#runtime.add(name);
    return name;
  }

  /** Returns the form of a definition. Its check is written once. */
  definition(name: string): Form {
    const known = this.#definitions.get(name);
    if (known !== undefined) return known;
    const definition = this.ir.definitions.get(name);
    if (definition === undefined) throw new Error(`${this.ir.id}: ${name} is referenced but not defined`);
    const around = this.#isHot;
    this.#isHot = this.#hot.has(name);
    const form = this.formOf(this, definition.node, name);
    this.#isHot = around;
    this.#definitions.set(name, form);
    return form;
  }

  /** Adds a function `(v: unknown, run: Run): boolean` and returns its name. The same source is added only once. */
  write(name: string, statements: readonly string[]): string {
    const body = statements.map((statement) => `  ${statement.replaceAll("\n", "\n  ")}\n`).join("");
    this.use("type Run");
    return this.#add(name, (own) => `function ${own}(v: unknown, run: Run): boolean {\n${body}}`);
  }

  /** Adds a check as data (a call of a runtime function) and returns its name. The same source is added only once. */
  data(name: string, runtime: string, values: readonly string[]): string {
    this.use("type Check");
    const call = `${this.use(runtime)}(${values.join(", ")})`;
    const broken = `${runtime}(\n${values.map((value) => `  ${value},\n`).join("")})`;
    return this.#add(name, (own) => `const ${own}: Check = /* @__PURE__ */ ${call.length > 90 ? broken : call};`);
  }

  /** Adds a condition as data and returns its name. */
  test({ expected, holds }: Extract<Form, { kind: "test" }>): string {
    this.use("type Test");
    const about = `{ expected: ${JSON.stringify(expected)}, holds: (v) => ${holds("v")} }`;
    return this.#add(`test${pascal(expected.replace(/^an? /, ""))}`, (own) => `const ${own}: Test = ${about};`);
  }

  #add(name: string, write: (name: string) => string): string {
    for (let attempt = 1; ; attempt++) {
      const own = attempt === 1 ? name : `${name}${attempt}`;
      const source = write(own);
      const taken = this.#checks.get(own);
      if (taken === undefined) this.#checks.set(own, source);
      if (taken === undefined || taken === source) return own;
    }
  }

  /** Returns a form as a function value, for lists, maps and alternatives. */
  asCheck(form: Form, name: string): string {
    if (form.kind === "any") return this.use("anything");
    if (form.kind === "call" && form.check !== undefined && !form.nullable) return form.check;
    const unlessNull = form.nullable ? "v === null || " : "";
    return form.kind === "call"
      ? this.write(`check${name}`, [`return ${unlessNull}${form.holds("v")};`])
      : this.write(`check${pascal(form.expected)}`, [
          `return ${unlessNull}${form.holds("v")} || ${this.use("fail")}(run, v, ${JSON.stringify(form.expected)});`,
        ]);
  }
}

const bare = (name: string): string => name.replace(/^type /, "");

/** Returns the form of a call to a function with the signature of a check. */
export function checkForm(check: string, expected: string, changes: boolean): Form {
  return { kind: "call", holds: (value) => `${check}(${value}, run)`, check, nullable: false, changes, expected };
}

/** Converts a tag to a name for functions without a definition: `plan_update` → `PlanUpdate`. */
export function pascal(text: string): string {
  return text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]|$)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns an object literal whose values are code, as an argument of {@link DecoderModule.data}. */
export function literal(entries: readonly (readonly [key: string, value: string])[]): string {
  if (entries.length === 0) return "{}";
  const name = (key: string): string => {
    if (key === "__proto__") return '["__proto__"]'; // Without brackets, this member would set the prototype.
    return isIdentifier(key) ? key : JSON.stringify(key);
  };
  const members = entries.map(([key, value]) => `${name(key)}: ${value}`);
  const line = `{ ${members.join(", ")} }`;
  return line.length <= 110 ? line : `{\n${members.map((entry) => `    ${entry},\n`).join("")}  }`;
}

/** Returns the expression of a member: `v.text`, or `v["a-b"]` if the name needs quotes. */
export function member(holder: string, name: string): string {
  return isIdentifier(name) ? `${holder}.${name}` : `${holder}[${JSON.stringify(name)}]`;
}
