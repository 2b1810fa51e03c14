import { paramsDirections, reversed } from "../normalize/methods.js";
import { type Model, reachableFrom } from "../normalize/model.js";
import type { Shape } from "../normalize/shape.js";

/** A capability that a peer may advertise, with the words of its name. */
interface Capability {
  readonly path: string;
  /** Splits a name into words: `context_window` → `["context", "window"]`, without plural. */
  readonly words: readonly string[];
  /** The side that advertises the capability. */
  readonly holders: ReadonlySet<string>;
}

/** A new variant or value. It may be gated: writers send it only to readers that advertise a capability. */
export interface Novelty {
  readonly name: string;
  readonly doc: string | undefined;
  /** The definition that contains the new variant. If two capabilities have the same last word, the words of the definition decide. */
  readonly definition: string;
}

export type GateFinder = (novelty: Novelty, readers: ReadonlySet<string>) => string | undefined;

/**
 * Finds the capability that gates a new variant or value.
 *
 * The schema has no keyword for this. There are two signs: the description names the capability ("only … when the client advertised the
 * `session.notices` capability"), or the reader of the value advertises a capability of the same name (`notices` for `notice`,
 * `compaction` for `compaction_update`). If several capabilities match equally well, the result is none.
 */
export function createGateFinder(model: Model): GateFinder {
  let capabilities: readonly Capability[] | undefined; // computed at the first use, because few comparisons need the capabilities
  return ({ name, doc, definition }, readers) => {
    const said = /capabilit/i.test(doc ?? "") ? capabilityIn(doc ?? "") : undefined;
    if (said !== undefined) return said;
    capabilities ??= capabilitiesOf(model);
    const words = wordsOf(name);
    const alike = capabilities.filter(
      (one) =>
        [...readers].every((reader) => one.holders.has(reader)) &&
        one.words.every((word, index) => word === words[index]),
    );
    const longest = Math.max(0, ...alike.map((one) => one.words.length));
    return closest(
      alike.filter((one) => one.words.length === longest),
      new Set([...words, ...wordsOf(definition)]),
    )?.path;
  };
}

/**
 * Returns the capability whose owner has the most words in common with the definition of the new variant. If several have equally
 * many, returns none.
 */
function closest(alike: readonly Capability[], context: ReadonlySet<string>): Capability | undefined {
  if (alike.length < 2) return alike[0];
  const common = (one: Capability): number =>
    new Set(wordsOf(one.path.slice(0, one.path.indexOf("."))).filter((word) => context.has(word))).size;
  const most = Math.max(...alike.map(common));
  const [only, ...more] = alike.filter((one) => common(one) === most);
  return more.length === 0 ? only : undefined;
}

function capabilityIn(doc: string): string | undefined {
  const sentence = doc
    .split(/(?<=[.!?])\s/)
    .find((one) => /capabilit/i.test(one) && /only|must|unless|require|advertis|declare|support/i.test(one));
  return sentence === undefined
    ? undefined
    : (/`([\w.]+)`\s+(?:\w+\s+)?capabilit/i.exec(sentence)?.[1] ?? /`([\w.]+)`/.exec(sentence)?.[1]);
}

/** Returns the leaves of the capability tree: a flag, or an object without members of its own. */
function capabilitiesOf(model: Model): readonly Capability[] {
  const found: Capability[] = [];
  const messages = messagesOf(model);
  for (const name of model.names.filter((one) => /Capabilities$/.test(one))) {
    const holders = new Set(messages.filter(({ reached }) => reached.has(name)).flatMap(({ writers }) => writers));
    for (const branch of model.shape(name)?.branches ?? []) {
      if (branch.kind !== "object") continue;
      for (const [member, { shape }] of branch.members) {
        if (member !== "_meta" && isLeaf(model, shape))
          found.push({ path: `${name}.${member}`, words: wordsOf(member), holders });
      }
    }
  }
  return found;
}

/** Returns, for the params and results of each method, the definitions that they contain, and their writers. */
function messagesOf(model: Model): { readonly reached: ReadonlySet<string>; readonly writers: readonly string[] }[] {
  return model.methods.flatMap(({ side, params, result }) => {
    const directions = paramsDirections(side);
    const message = (name: string | undefined, writers: readonly string[]) =>
      name === undefined ? [] : [{ reached: reachableFrom(model, [name]), writers }];
    return [
      ...message(
        params,
        directions.map(({ writer }) => writer),
      ),
      ...message(
        result,
        directions.map((direction) => reversed(direction).writer),
      ),
    ];
  });
}

function isLeaf(model: Model, shape: Shape, depth = 0): boolean {
  return shape.branches.every((branch) => {
    if (branch.kind === "boolean" || branch.kind === "null") return true;
    if (branch.kind === "object")
      return [...branch.members.keys()].every((member) => member === "_meta") && branch.parts.length === 0;
    const target = branch.kind === "ref" && depth < 5 ? model.shape(branch.name) : undefined;
    return target !== undefined && isLeaf(model, target, depth + 1);
  });
}

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/Capabilit(y|ies)$/, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_\s.-]+/)
    .map((word) => (word.length > 3 ? word.replace(/s$/, "") : word));
}
