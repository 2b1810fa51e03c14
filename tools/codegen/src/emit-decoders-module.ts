import type { Node, SchemaIr } from "./ir.js";

/** What is emitted. For the product both are on: we receive. Tests switch them off to compare with stricter readers. */
export interface DecoderMode {
  /** Apply `x-deserialize-*` and fill in defaults. Off: the verdict of the plain schema. */
  readonly recover: boolean;
  /** Keep unknown tags also where the schema's union is closed (most of v1). */
  readonly openUnions: boolean;
}

/** How a node is checked. */
export type Form =
  /** There is nothing to check. */
  | { readonly kind: "any" }
  /** By a condition on an expression, which may occur in it several times. */
  | {
      readonly kind: "test";
      readonly holds: (value: string) => string;
      readonly fails: (value: string) => string;
      readonly nullable: boolean;
      readonly expected: string;
    }
  /** By a call that notes its own fault. */
  | {
      readonly kind: "call";
      readonly holds: (value: string) => string;
      /** The function that is called, when the call is just `checkX(value, run)`. */
      readonly check: string | undefined;
      readonly nullable: boolean;
      /** It may repair something inside the value, and what it reports then has to get the member's path. */
      readonly changes: boolean;
      readonly expected: string;
    };

/** The last statements of a function, and whether they may repair something. */
export interface Ending {
  readonly statements: readonly string[];
  readonly changes: boolean;
}

/** One module being written: its functions so far, and which runtime functions they call. */
export class DecoderModule {
  readonly ir: SchemaIr;
  readonly mode: DecoderMode;
  /** The form of a node. `name` is what a function of its own is called, after `check`. */
  readonly formOf: (module: DecoderModule, node: Node, name: string, lenientItems?: boolean) => Form;
  readonly #functions = new Map<string, string>();
  readonly #definitions = new Map<string, Form>();
  readonly #runtime = new Set<string>();

  constructor(ir: SchemaIr, mode: DecoderMode, formOf: DecoderModule["formOf"]) {
    this.ir = ir;
    this.mode = mode;
    this.formOf = formOf;
  }

  /** The source of every function, callees before callers. */
  get functions(): readonly string[] {
    return [...this.#functions.values()];
  }

  /** The runtime functions that are called, sorted. */
  get imports(): readonly string[] {
    return [...this.#runtime].sort();
  }

  /** Says that a runtime function is called, and returns its name. */
  use(name: string): string {
    this.#runtime.add(name);
    return name;
  }

  /** The form of a definition. Its function is written once. */
  definition(name: string): Form {
    const known = this.#definitions.get(name);
    if (known !== undefined) return known;
    const definition = this.ir.definitions.get(name);
    if (definition === undefined) throw new Error(`${this.ir.id}: ${name} is referenced but not defined`);
    const form = this.formOf(this, definition.node, name);
    this.#definitions.set(name, form);
    return form;
  }

  /** Adds a function `(v: unknown, run: Run): boolean` and returns its name; the same source is added once. */
  write(name: string, statements: readonly string[]): string {
    const body = statements.map((statement) => `  ${statement.replaceAll("\n", "\n  ")}\n`).join("");
    for (let attempt = 1; ; attempt++) {
      const own = attempt === 1 ? name : `${name}${attempt}`;
      const source = `function ${own}(v: unknown, run: Run): boolean {\n${body}}\n`;
      const taken = this.#functions.get(own);
      if (taken === undefined) this.#functions.set(own, source);
      if (taken === undefined || taken === source) return own;
    }
  }

  /** A form as a function value, for lists, maps and alternatives. */
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

/** The form of a call to a function with the signature of a check. */
export function checkForm(check: string, expected: string, changes: boolean): Form {
  return { kind: "call", holds: (value) => `${check}(${value}, run)`, check, nullable: false, changes, expected };
}

/** `plan_update` → `PlanUpdate`, for the names of functions without a definition of their own. */
export function pascal(text: string): string {
  return text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]|$)/g, (_, letter: string) => letter.toUpperCase());
}

/** `v.text`, or `v["a-b"]` where it has to be. */
export function member(holder: string, name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${holder}.${name}` : `${holder}[${JSON.stringify(name)}]`;
}
