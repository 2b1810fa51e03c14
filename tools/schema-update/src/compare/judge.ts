import { conjunction, type Difference } from "../difference.js";
import type { Finding, Who } from "./finding.js";

/** Finds the capability of the readers that gates a new variant. */
export type GateFinder = (
  novelty: { readonly name: string; readonly doc: string | undefined; readonly path: string },
  readers: ReadonlySet<string>,
) => string | undefined;

/** Determines the effect of each finding on the peers that write and read the place. */
export function judge(findings: readonly Finding[], gateOf: GateFinder): readonly Difference[] {
  const judged = findings.map((finding) => ({ finding, difference: judgeOne(finding, gateOf) }));
  return judged.map(({ finding, difference }) => {
    const offer = judged.find((other) => isOffer(other, { finding, difference }));
    if (offer === undefined) return difference;
    const note = `chosen only among the options that were offered as \`${offer.difference.path}\`, which is ${offer.difference.note}`;
    return { ...difference, effect: "additive", says: finding.what, affects: [], note };
  });
}

interface Judged {
  readonly finding: Finding;
  readonly difference: Difference;
}

/**
 * Whether a new variant of a request can be chosen only if the other side has offered it. A new variant of
 * `SetSessionConfigOptionRequest` looks breaking for the agents that read it, but a client can choose only an option
 * that the agent offered as the same variant of `SessionConfigOption`. If a capability gates that variant, no agent of
 * the old schema receives the request.
 */
function isOffer(offer: Judged, choice: Judged): boolean {
  return (
    choice.difference.effect === "breaking" &&
    choice.finding.novelty !== undefined &&
    offer.difference.note?.startsWith("gated") === true &&
    offer.finding.novelty?.name === choice.finding.novelty.name &&
    offer.finding.definition !== choice.finding.definition &&
    choice.finding.definition.includes(offer.finding.definition) &&
    [...choice.finding.seen.values()].every(({ reader }) =>
      [...offer.finding.seen.values()].some(({ writer }) => writer === reader),
    )
  );
}

function judgeOne(finding: Finding, gateOf: GateFinder): Difference {
  const directions = [...finding.seen.values()];
  const writers = new Set(directions.map(({ writer }) => writer));
  const readers = new Set(directions.map(({ reader }) => reader));
  const { effect, note } = verdict(finding, readers, gateOf);
  const sides = { narrowed: writers, widened: readers, lost: finding.code === "member-removed" ? readers : writers };
  const affected = sides[finding.change as keyof typeof sides] ?? new Set([...writers, ...readers]);
  return {
    effect,
    code: finding.code,
    path: finding.path,
    says: effect === "breaking" ? withDemand(finding, inWords(writers, readers)) : finding.what,
    note,
    directions: [...finding.seen.keys()],
    affects: effect === "breaking" ? [...affected].sort() : [],
    methods: [...finding.methods],
    names: [finding.definition],
    ...(finding.among === undefined ? {} : { among: finding.among }),
  };
}

function verdict(
  { change, open, novelty, path, seen }: Finding,
  readers: ReadonlySet<string>,
  gateOf: GateFinder,
): { readonly effect: Difference["effect"]; readonly note?: string } {
  switch (change) {
    case "known":
      return { effect: "additive" };
    case "decoder":
      return { effect: "decoder behaviour" };
    case "words":
      return { effect: "documentation" };
    case "widened": {
      // New valid values break readers, except if old readers accept unknown values there, or never receive the new
      // ones.
      if (open === true) return { effect: "additive" };
      const gate = novelty === undefined ? undefined : gateOf({ ...novelty, path }, readers);
      if (gate !== undefined)
        return {
          effect: "additive",
          note: `gated by the capability \`${gate}\`; only code that switches exhaustively over the closed union needs a new case`,
        };
      if (seen.size > 0 && [...seen.values()].every(({ recovers }) => recovers))
        return { effect: "additive", note: "readers with the old schema replace or skip the value here" };
      return { effect: "breaking" };
    }
    default:
      return { effect: "breaking" };
  }
}

function withDemand({ what, change, demand }: Finding, who: Who): string {
  const usual: Readonly<Record<string, string>> = {
    narrowed: `${who.writers} must adapt`,
    widened: `${who.readers} have to accept it`,
    replaced: `${who.all} must adapt`,
  };
  const asked = demand?.(who) ?? usual[change];
  return asked === undefined ? what : `${what}; ${asked}`;
}

const plurals: Readonly<Record<string, string>> = {
  agent: "agents",
  client: "clients",
  proxy: "proxies",
  conductor: "conductors",
};

function inWords(writers: ReadonlySet<string>, readers: ReadonlySet<string>): Who {
  const words = (names: Iterable<string>): string =>
    conjunction([...new Set(names)].sort().map((name) => plurals[name] ?? name));
  return { writers: words(writers), readers: words(readers), all: words([...writers, ...readers]) };
}
