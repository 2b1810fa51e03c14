import type { Difference, Pair, Who } from "../compare/comparison.js";
import { conjunction } from "../compare/describe.js";
import type { Change, ChangeClass, ChangeKind } from "./change.js";
import type { GateFinder } from "./gates.js";
import type { Reach } from "./reach.js";

export interface ClassifyOptions {
  /** The class of a new variant that old readers only receive after advertising a capability. Default: additive. */
  readonly gated: "additive" | "breaking";
  readonly gateOf: GateFinder;
}

/** Classifies one difference by its effect on the peers that write and read the value. */
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
    kind: verdict.kind,
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
  readonly kind?: ChangeKind | undefined;
  readonly note: string | undefined;
}

function unreached({ effect }: Difference): Verdict {
  return { class: "none", note: effect === "annotation" ? undefined : "no method that both files define reaches it" };
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
      return { class: "decoder behaviour", kind: difference.decoding, note: undefined };
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

/** Classifies new valid values. They break readers, except if old readers accept unknown values there, or never receive the new values. */
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
      kind: "gated",
      note: `gated by the capability \`${gate}\`; only code that switches exhaustively over the closed union needs a new case`,
    };
  }
  // A missing required member is an error even where a malformed member is replaced, because the recovery rule needs a value.
  if (lenient && difference.code !== "member-optional") {
    return { class: "additive", note: "readers with the old schema replace or skip the value here" };
  }
  return { class: "breaking", note: undefined };
}

type Ends = { readonly writers: ReadonlySet<string>; readonly readers: ReadonlySet<string> };

/** Returns the sides whose code must change. */
function affected({ effect, code }: Difference, { writers, readers }: Ends): ReadonlySet<string> {
  if (effect === "narrowed") return writers;
  if (effect === "widened") return readers;
  if (effect === "lost") return code === "member-removed" ? readers : writers;
  return new Set([...writers, ...readers]);
}

/** Returns the sentence about the change. It contains what each side must do. */
function sentence({ what, demand, effect }: Difference, verdict: ChangeClass, who: Who): string {
  if (verdict !== "breaking") return what;
  const usual: Partial<Record<typeof effect, string>> = {
    narrowed: `${who.writers} must adapt`,
    widened: `${who.readers} have to accept it`,
    replaced: `${who.all} must adapt`,
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
