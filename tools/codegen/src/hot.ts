import type { Node, SchemaIr } from "./ir.js";

/** What an agent says by the hundred thousand. A tag that a schema has not is ignored: this is about speed alone. */
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
  // Inside of these:
  "text",
  "content",
  "diff",
  "items",
]);

/**
 * The definitions whose checks are functions written out for them, because they decide how fast updates arrive: those of the
 * params of `session/update`, without the variants that come now and then. The checks of all others are data.
 */
export function hotDefinitions(ir: SchemaIr): ReadonlySet<string> {
  const found = new Set(ir.methods.filter(({ name }) => name === "session/update").map(({ params }) => params));
  // A set may grow while it is walked; what is added is walked, too.
  for (const name of found) {
    const node = ir.definitions.get(name)?.node;
    if (node !== undefined) for (const next of mentioned(node)) found.add(next);
  }
  return found;
}

/** The definitions that a node refers to, by the tags that are hot. */
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
