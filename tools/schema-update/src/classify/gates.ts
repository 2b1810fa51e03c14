import { paramsDirections, reversed } from "../normalize/methods.js";
import { type Model, reachableFrom } from "../normalize/model.js";
import type { Shape } from "../normalize/shape.js";

/** A capability that a peer may advertise, as the schema names it. */
interface Capability {
  readonly path: string;
  /** `context_window` → `["context", "window"]`, without plural. */
  readonly words: readonly string[];
  /** Who advertises it. */
  readonly holders: ReadonlySet<string>;
}

/** A new variant or value that may wait for a capability. */
export interface Novelty {
  readonly name: string;
  readonly doc: string | undefined;
  /** The definition that it is new in: of two capabilities with the same last word, its words may decide which is meant. */
  readonly definition: string;
}

export type GateFinder = (novelty: Novelty, readers: ReadonlySet<string>) => string | undefined;

/**
 * Finds the capability that a new variant or value waits for.
 *
 * The schema has no keyword for this. Two signs count: the description says so ("only … when the client advertised the
 * `session.notices` capability"), or the reader of the value advertises a capability of the same name (`notices` for `notice`,
 * `compaction` for `compaction_update`). Where several capabilities match and nothing decides between them, none is named.
 */
export function createGateFinder(model: Model): GateFinder {
  const capabilities = capabilitiesOf(model);
  return ({ name, doc, definition }, readers) => {
    const said = /capabilit/i.test(doc ?? "") ? capabilityIn(doc ?? "") : undefined;
    if (said !== undefined) return said;
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

/** The capability whose owner has most words in common with where the novelty stands; none in a tie. */
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

/** Leaves of the capability tree: a flag, or an object that only says "yes". */
function capabilitiesOf(model: Model): readonly Capability[] {
  const found: Capability[] = [];
  for (const name of model.names.filter((one) => /Capabilities$/.test(one))) {
    const holders = holdersOf(model, name);
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

function holdersOf(model: Model, name: string): ReadonlySet<string> {
  const holders = new Set<string>();
  for (const method of model.methods) {
    const params = method.params !== undefined && reachableFrom(model, [method.params]).has(name);
    const result = method.result !== undefined && reachableFrom(model, [method.result]).has(name);
    for (const direction of paramsDirections(method.side)) {
      if (params) holders.add(direction.writer);
      if (result) holders.add(reversed(direction).writer);
    }
  }
  return holders;
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
