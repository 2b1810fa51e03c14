import type { Difference, Pair, Who } from "../compare/comparison.js";
import { conjunction } from "../compare/describe.js";
import type { Change, ChangeClass } from "./change.js";
import type { GateFinder } from "./gates.js";
import type { Reach } from "./reach.js";

export interface ClassifyOptions {
  /** The class of a new variant that a capability keeps from old readers. Default: additive. */
  readonly gated: "additive" | "breaking";
  readonly gateOf: GateFinder;
}

/** Classifies one difference from the point of view of the value's writers and readers. */
export function classify(
  pair: Pair,
  difference: Difference,
  reach: Reach | undefined,
  options: ClassifyOptions,
): Change {
  const directions = [...(reach?.directions.values() ?? [])];
  const ends = {
    writers: new Set(directions.map(({ direction }) => direction.writer)),
    readers: new Set(directions.map(({ direction }) => direction.reader)),
  };
  const lenient = difference.lenient || (directions.length > 0 && directions.every((one) => one.lenient));
  const verdict = reach === undefined ? unreached(difference) : judge(pair, difference, lenient, ends.readers, options);
  return {
    class: verdict.class,
    code: difference.code,
    definition: pair.after,
    path: `${pair.after}${difference.path}`,
    directions: [...(reach?.directions.keys() ?? [])],
    says: sentence(difference, verdict.class, inWords(ends)),
    note: verdict.note,
    affects: verdict.class === "breaking" ? [...affected(difference, ends)].sort() : [],
    methods: [...(reach?.methods ?? [])],
  };
}

interface Verdict {
  readonly class: ChangeClass;
  readonly note: string | undefined;
}

function unreached({ effect }: Difference): Verdict {
  return { class: "none", note: effect === "annotation" ? undefined : "no method of both files reaches it" };
}

function judge(
  pair: Pair,
  difference: Difference,
  lenient: boolean,
  readers: ReadonlySet<string>,
  options: ClassifyOptions,
): Verdict {
  switch (difference.effect) {
    case "member":
    case "known":
      return { class: "additive", note: undefined };
    case "decoder":
      return { class: "decoder behaviour", note: undefined };
    case "annotation":
      return { class: "annotation", note: undefined };
    case "narrowed":
    case "replaced":
    case "lost":
      return { class: "breaking", note: undefined };
    case "widened":
      return judgeWidened(pair, difference, lenient, readers, options);
  }
}

/** New valid values break readers, unless the old readers have a place for them or never get them. */
function judgeWidened(
  pair: Pair,
  difference: Difference,
  lenient: boolean,
  readers: ReadonlySet<string>,
  options: ClassifyOptions,
): Verdict {
  if (difference.open) return { class: "additive", note: undefined };
  const gate =
    difference.novelty === undefined
      ? undefined
      : options.gateOf({ ...difference.novelty, definition: pair.after }, readers);
  if (gate !== undefined) {
    return {
      class: options.gated,
      note: `gated by the capability \`${gate}\`; only code that switches exhaustively over the closed union needs a new case`,
    };
  }
  // A missing required member is an error even where a malformed one is replaced: the recovery rule needs a value.
  if (lenient && difference.code !== "member-optional") {
    return { class: "additive", note: "readers of the old schema replace or skip it here" };
  }
  return { class: "breaking", note: undefined };
}

type Ends = { readonly writers: ReadonlySet<string>; readonly readers: ReadonlySet<string> };

/** Whose code has to change. */
function affected({ effect, code }: Difference, { writers, readers }: Ends): ReadonlySet<string> {
  if (effect === "narrowed") return writers;
  if (effect === "widened") return readers;
  if (effect === "lost") return code === "member-removed" ? readers : writers;
  return new Set([...writers, ...readers]);
}

/** Returns the change, and what it requires of which side. */
function sentence({ what, demand, effect }: Difference, verdict: ChangeClass, who: Who): string {
  if (verdict !== "breaking") return what;
  const usual: Partial<Record<typeof effect, string>> = {
    narrowed: `${who.writers} have to follow`,
    widened: `${who.readers} have to accept it`,
    replaced: `${who.all} have to follow`,
  };
  const asked = demand?.(who) ?? usual[effect];
  return asked === undefined ? what : `${what}; ${asked}`;
}

const plurals: Readonly<Record<string, string>> = {
  agent: "agents",
  client: "clients",
  proxy: "proxies",
  conductor: "conductors",
};

function inWords({ writers, readers }: Ends): Who {
  const words = (...names: readonly string[]): string =>
    conjunction([...new Set(names)].sort().map((name) => plurals[name] ?? name));
  return { writers: words(...writers), readers: words(...readers), all: words(...writers, ...readers) };
}
