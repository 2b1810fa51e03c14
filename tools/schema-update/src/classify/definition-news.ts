import type { MethodNews, Root } from "../compare/compare-methods.js";
import type { Comparison, Difference } from "../compare/comparison.js";
import { type Model, reachableFrom, referencesOf } from "../normalize/model.js";
import type { Shape } from "../normalize/shape.js";
import { type Change, type ChangeClass, gravest } from "./change.js";

/** A definition that exists in only one of the files. */
export interface DefinitionEntry {
  readonly name: string;
  readonly class: ChangeClass;
  /** The changes that added or removed the definition. */
  readonly because: string;
}

/** The added, removed and changed definitions, for information only: the verdict follows from the definitions that methods reach. */
export interface DefinitionNews {
  readonly added: readonly DefinitionEntry[];
  readonly removed: readonly DefinitionEntry[];
  readonly renamed: readonly { readonly before: string; readonly after: string }[];
  /** Definitions with changes other than documentation, sorted by severity. */
  readonly changed: readonly { readonly name: string; readonly class: ChangeClass }[];
  readonly documentation: readonly string[];
}

/** The reason why a definition was added or removed without effect. */
export const envelopeWords = "JSON-RPC envelope";

interface Judged {
  readonly difference: Difference;
  readonly change: Change;
}

export function definitionNews(
  comparison: Comparison,
  methods: readonly MethodNews[],
  judged: readonly Judged[],
  roots: readonly Root[],
): DefinitionNews {
  const { before, after } = comparison;
  const renamed = [...comparison.pairs.values()]
    .filter(
      (pair) =>
        pair.before !== pair.after && before.shape(pair.after) === undefined && after.shape(pair.before) === undefined,
    )
    .map((pair) => ({ before: pair.before, after: pair.after }));
  const byName = new Map<string, ChangeClass[]>();
  for (const change of judged.map((one) => one.change))
    byName.set(change.definition, [...(byName.get(change.definition) ?? []), change.class]);
  return {
    added: after.names
      .filter((name) => before.shape(name) === undefined && !renamed.some((one) => one.after === name))
      .map((name) =>
        entry(
          name,
          reasons(name, after, "after", methods, judged),
          comparison.extracted.has(name),
          "was written inline before",
          after,
          roots,
        ),
      ),
    removed: before.names
      .filter((name) => after.shape(name) === undefined && !renamed.some((one) => one.before === name))
      .map((name) =>
        entry(
          name,
          reasons(name, before, "before", methods, judged),
          comparison.dissolved.has(name),
          "is written inline now",
          before,
          roots,
        ),
      ),
    renamed,
    changed: [...byName]
      .map(([name, classes]) => ({ name, class: gravest(classes) }))
      .filter((one) => one.class !== "none"),
    documentation: [...comparison.pairs.values()]
      .filter((pair) => pair.rewordings.length > 0 && !byName.has(pair.after))
      .map((pair) => pair.after),
  };
}

interface Reason {
  readonly class: ChangeClass;
  readonly because: string;
}

/**
 * Finds the changes that added or removed a definition. Changes that name the definition come first, then changes of definitions
 * that refer to it.
 */
function reasons(
  name: string,
  model: Model,
  side: "before" | "after",
  methods: readonly MethodNews[],
  judged: readonly Judged[],
): readonly Reason[] {
  const wanted = side === "after" ? "added" : "removed";
  const direct: Reason[] = [];
  const indirect: Reason[] = [];
  for (const method of methods.filter(({ change }) => change === wanted)) {
    const reason = { class: method.class, because: `\`${method.name}\`` };
    if (method.definitions.includes(name)) direct.unshift(reason);
    else if (reachableFrom(model, method.definitions).has(name)) indirect.push(reason);
  }
  for (const { difference, change } of judged) {
    const shape: Shape | undefined = difference[side];
    if (shape === undefined) continue;
    const reason = { class: change.class, because: `\`${change.path}\`` };
    if (referencesOf(shape).has(name)) direct.push(reason);
    else if (reachableFrom(model, [], [shape]).has(name)) indirect.unshift(reason);
  }
  return [...direct, ...indirect];
}

function entry(
  name: string,
  found: readonly Reason[],
  inline: boolean,
  inlineWords: string,
  model: Model,
  roots: readonly Root[],
): DefinitionEntry {
  const [first] = found;
  if (first !== undefined) {
    // An added definition is additive if one additive change leads to it. A removed definition is as severe as the most severe change.
    const mild = found.find((reason) => reason.class === "additive");
    const reason = mild ?? found.find((one) => one.class === gravest(found.map((each) => each.class))) ?? first;
    return { name, class: reason.class, because: `with ${reason.because}` };
  }
  if (inline) return { name, class: "none", because: inlineWords };
  if (model.isEnvelope(name)) return { name, class: "none", because: envelopeWords };
  const reachable = reachableFrom(
    model,
    roots.flatMap(({ pair }) => [pair.before, pair.after]),
  ).has(name);
  return {
    name,
    class: "none",
    because: reachable ? "used by a definition that changed its form" : "no method reaches it",
  };
}
