import { checkForm, type DecoderModule, type Ending, type Form, pascal } from "./emit-decoders-module.js";
import type { UnionNode } from "./ir.js";

/** Returns the form of alternatives without a tag. */
export function unionForm(module: DecoderModule, node: UnionNode, name: string): Form {
  const forms = branchForms(module, node, name);
  const [only] = forms;
  if (only !== undefined && forms.length === 1) return only.form;

  const calls = forms.filter(({ form }) => form.kind === "call");
  const tests = forms.flatMap(({ form }) => (form.kind === "test" ? [form] : []));
  const changes = module.mode.recover && calls.some(({ form }) => form.kind === "call" && form.changes);
  if (node.exclusive || calls.length > 1) {
    const checks = forms.map(({ own, form }) => module.asCheck(form, own));
    return checkForm(module.write(`check${name}`, [alternatives(module, node, checks)]), "an object", changes);
  }
  // Different scalars never match the same value, so their order does not matter. If one alternative accepts
  // everything, no check is needed.
  if (forms.some(({ form }) => form.kind === "any")) return { kind: "any" };
  const expected = spoken(forms.map(({ form }) => (form.kind === "any" ? "anything" : form.expected)));
  const holds = (value: string) => tests.map((test) => test.holds(value)).join(" || ");
  const [call] = calls;
  if (call === undefined || call.form.kind !== "call") {
    const fails = (value: string) => tests.map((test) => test.fails(value)).join(" && ");
    return { kind: "test", holds, fails, nullable: false, expected };
  }
  if (!node.branches.some((branch) => branch.node.kind === "array")) {
    throw new Error(`${module.ir.id}: ${name} mixes scalars with an object, which the generator does not support`);
  }
  const failure = `${module.use("fail")}(run, v, ${JSON.stringify(expected)})`;
  const check = module.write(`check${name}`, [
    `if (${holds("v")}) return true;`,
    `return Array.isArray(v) ? ${call.form.holds("v")} : ${failure};`,
  ]);
  return checkForm(check, expected, changes);
}

/** Returns the check of alternatives that are flattened into an object, for a `v` that is an object. */
export function unionStatements(module: DecoderModule, node: UnionNode, name: string): Ending {
  const forms = branchForms(module, node, name);
  const checks = forms.map(({ own, form }) => module.asCheck(form, own));
  const changes = forms.some(({ form }) => form.kind === "call" && form.changes);
  return { statements: [alternatives(module, node, checks)], changes };
}

function alternatives(module: DecoderModule, { exclusive }: UnionNode, checks: readonly string[]): string {
  return `return ${module.use(exclusive ? "onlyOneOf" : "firstOf")}(v, run, [${checks.join(", ")}]);`;
}

function branchForms(module: DecoderModule, { branches }: UnionNode, name: string): { own: string; form: Form }[] {
  return branches.map(({ title, node }, index) => {
    const own = `${name}${pascal(title ?? `Alternative${index + 1}`)}`;
    return { own, form: module.formOf(module, node, own) };
  });
}

function spoken(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} or ${parts.at(-1)}`;
}
