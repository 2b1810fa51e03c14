import type { Node, SchemaIr } from "./ir.js";

/** The tags of the most frequent updates. A tag that the schema lacks is ignored: the list only affects speed. */
const hotTags: ReadonlySet<string> = new Set([
  "agent_message_chunk",
  "agent_thought_chunk",
  "user_message_chunk",
  "plan",
  "plan_update",
  "tool_call",
  "tool_call_content_chunk",
  "tool_call_update",
  "terminal_output_chunk",
  // Tags of values inside these updates:
  "text",
  "content",
  "diff",
  "items",
]);

/**
 * Returns the definitions whose checks are functions, because they determine how fast updates are decoded: the
 * definitions of the params of `session/update`, without the rare variants. All other checks are data.
 */
export function hotDefinitions(ir: SchemaIr): ReadonlySet<string> {
  const found = new Set(ir.methods.filter(({ name }) => name === "session/update").map(({ params }) => params));
  // The loop adds items to the set that it iterates; it also visits the added items.
  for (const name of found) {
    const node = ir.definitions.get(name)?.node;
    if (node !== undefined) for (const next of mentioned(node)) found.add(next);
  }
  return found;
}

function mentioned(node: Node): string[] {
  switch (node.kind) {
    case "ref":
      return [node.name];
    case "nullable":
      return mentioned(node.inner);
    case "array":
      return mentioned(node.items);
    case "object":
      return [
        ...node.properties.flatMap((property) => mentioned(property.node)),
        ...(node.flattened === undefined ? [] : mentioned(node.flattened)),
      ];
    case "tagged":
      return node.variants
        .filter(({ value }) => hotTags.has(value))
        .flatMap(({ payload, properties }) => [
          ...(payload === undefined ? [] : [payload]),
          ...properties.flatMap((property) => mentioned(property.node)),
        ]);
    default:
      return [];
  }
}
