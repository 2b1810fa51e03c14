import type { DecoderModule, Form } from "./emit-decoders-module.js";
import { objectForm } from "./emit-decoders-object.js";
import { scalarForm } from "./emit-decoders-scalar.js";
import { taggedForm } from "./emit-decoders-tagged.js";
import { unionForm } from "./emit-decoders-union.js";
import type { Node } from "./ir.js";

/** Returns the form in which a node is checked, and writes the functions that the check needs. */
export function formOf(module: DecoderModule, node: Node, name: string, lenientItems = false): Form {
  switch (node.kind) {
    case "any":
      return { kind: "any" };
    case "ref":
      return module.definition(node.name);
    case "nullable": {
      const inner = formOf(module, node.inner, name, lenientItems);
      return inner.kind === "any" ? inner : { ...inner, nullable: true };
    }
    case "array":
      return arrayForm(module, node, name, lenientItems);
    case "record":
      return recordForm(module, node.values, name);
    case "object":
      return objectForm(module, node, name);
    case "tagged":
      return taggedForm(module, node, name);
    case "union":
      return unionForm(module, node, name);
    default:
      return scalarForm(module, node, name);
  }
}

function arrayForm(
  module: DecoderModule,
  { items, minItems }: Extract<Node, { kind: "array" }>,
  name: string,
  lenientItems: boolean,
): Form {
  const form = formOf(module, items, `${name}Item`);
  const check = module.asCheck(form, `${name}Item`);
  const runtime = module.use(lenientItems ? "lenientList" : "list");
  // With skipped items, the lower bound is not checked: a list may be shorter after invalid items were skipped.
  const minimum = minItems === undefined || lenientItems ? "" : `, ${minItems}`;
  return {
    kind: "call",
    holds: (value) => `${runtime}(${value}, run, ${check}${minimum})`,
    check: undefined,
    nullable: false,
    changes: lenientItems || (form.kind === "call" && form.changes),
    expected: "an array",
    list: minimum === "" ? { runtime, item: check } : undefined,
  };
}

function recordForm(module: DecoderModule, values: Node, name: string): Form {
  const form = formOf(module, values, `${name}Value`);
  if (form.kind === "any") {
    const holds = (value: string) => `${module.use("isObject")}(${value})`;
    return { kind: "test", holds, fails: (value) => `!${holds(value)}`, nullable: false, expected: "an object" };
  }
  const check = module.asCheck(form, `${name}Value`);
  const record = module.use("record");
  return {
    kind: "call",
    holds: (value) => `${record}(${value}, run, ${check})`,
    check: undefined,
    nullable: false,
    changes: form.kind === "call" && form.changes,
    expected: "an object",
  };
}
