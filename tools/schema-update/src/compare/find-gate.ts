import { gates } from "@acp-kit/codegen/gates";
import type { Model } from "../model.js";
import type { GateFinder } from "./judge.js";

/**
 * Creates a function that finds the capability of the readers that gates a new variant or value.
 *
 * There are three signs: the hand-written table of gates has the variant, also for the unstable schema; the description
 * names the capability ("only … when the client advertised the `session.notices` capability"); or the readers have a
 * capability of the same name (`notices` for `notice`, `compaction` for `compaction_update`). If several capabilities
 * match equally well, the result is none.
 */
export function gateFinder({ ir, gates: own, capabilities: tree }: Model): GateFinder {
  const listed = [...own.payloads, ...(gates[`v${ir.protocolVersion}-unstable`]?.payloads ?? [])];
  return ({ name, doc, path }, readers) => {
    const isHeld = (capability: string): boolean => [...readers].every((reader) => capability.startsWith(`${reader}.`));
    const known = listed.find(
      ({ variant, capability }) => variant === name && isHeld(capability) && tree.includes(capability),
    );
    if (known !== undefined) return known.capability;
    const said = capabilityIn(doc ?? "");
    if (said !== undefined) return tree.find((one) => isHeld(one) && one.endsWith(`.${said}`)) ?? said;
    const words = wordsOf(name);
    const alike = tree.filter(
      (one) => isHeld(one) && wordsOf(lastOf(one)).every((word, index) => word === words[index]),
    );
    const longest = Math.max(0, ...alike.map((one) => wordsOf(lastOf(one)).length));
    const best = alike.filter((one) => wordsOf(lastOf(one)).length === longest);
    return best.length < 2 ? best[0] : closest(best, new Set(wordsOf(path)));
  };
}

/** Returns the capability whose path shares the most words with the place; none if several do. */
function closest(alike: readonly string[], context: ReadonlySet<string>): string | undefined {
  const common = (path: string): number => new Set(wordsOf(path).filter((word) => context.has(word))).size;
  const most = Math.max(...alike.map(common));
  const [only, ...more] = alike.filter((path) => common(path) === most);
  return more.length === 0 ? only : undefined;
}

/** Returns the capability that a sentence makes the condition of the variant. */
function capabilityIn(doc: string): string | undefined {
  if (!/capabilit/i.test(doc)) return undefined;
  const sentence = doc
    .split(/(?<=[.!?])\s/)
    .find((one) => /capabilit/i.test(one) && /only|must|unless|require|advertis|declare|support/i.test(one));
  return sentence === undefined
    ? undefined
    : (/`([\w.]+)`\s+(?:\w+\s+)?capabilit/i.exec(sentence)?.[1] ?? /`([\w.]+)`/.exec(sentence)?.[1]);
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/Capabilit(?:y|ies)/g, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => (word.length > 3 ? word.replace(/s$/, "") : word));
}
