import { type ApiDiff, diffApi, type SchemaIdentity } from "./api-diff.js";
import { type Change, type ChangeClass, gravest } from "./classify/change.js";
import { classify } from "./classify/classify.js";
import { type DefinitionNews, definitionNews } from "./classify/definition-news.js";
import { createGateFinder } from "./classify/gates.js";
import { byImportance } from "./classify/importance.js";
import { judgeOfferedOptions } from "./classify/offered-options.js";
import { reachOf } from "./classify/reach.js";
import { compareQueued, compareUnreached, rootPlace } from "./compare/compare-definitions.js";
import { compareMethods, type MethodNews, type Root } from "./compare/compare-methods.js";
import { compareShapes } from "./compare/compare-shapes.js";
import { type Comparison, createComparison, type Pair, type Rewording } from "./compare/comparison.js";
import { batchSenders, envelopeSlots } from "./compare/envelopes.js";
import type { JsonObject } from "./normalize/json.js";
import { createModel, type Model } from "./normalize/model.js";
import type { UnknownKeyword } from "./normalize/unknown-keywords.js";

export interface DiffOptions {
  /** The class of a new variant that old readers only receive after advertising a capability. Default: additive. */
  readonly gated?: "additive" | "breaking";
}

/** Information about two documents that their text does not contain. */
export interface DiffContext {
  /** Default: version 1, stable. */
  readonly identity?: SchemaIdentity | undefined;
  /** The `meta.json` beside each file. */
  readonly meta?: { readonly before: JsonObject | undefined; readonly after: JsonObject | undefined } | undefined;
}

/** The changes between two schema files, most important first. */
export interface FileDiff {
  /** The most severe class of messages and exports. */
  readonly class: ChangeClass;
  /** The most severe class of messages only: never `api`. */
  readonly wire: ChangeClass;
  readonly api: ApiDiff;
  readonly methods: readonly MethodNews[];
  readonly changes: readonly Change[];
  readonly definitions: DefinitionNews;
  /** Every description that changed, with both texts. */
  readonly rewordings: readonly Rewording[];
  /** The keywords of the new file that this tool doesn't know. */
  readonly unknownKeywords: readonly UnknownKeyword[];
  readonly counts: {
    readonly before: { readonly definitions: number; readonly methods: number };
    readonly after: { readonly definitions: number; readonly methods: number };
  };
}

/** Compares two schema files. A pure function of the documents. */
export function diffSchemas(
  before: JsonObject,
  after: JsonObject,
  options: DiffOptions = {},
  { identity = { protocolVersion: 1, stability: "stable" }, meta }: DiffContext = {},
): FileDiff {
  const comparison = createComparison(createModel(before, meta?.before), createModel(after, meta?.after));
  const { news, roots: methodRoots } = compareMethods(comparison);
  const roots = [...methodRoots, ...envelopeRoots(comparison)];
  if (comparison.before.methods.length === 0 || comparison.after.methods.length === 0)
    roots.push(...allDefinitions(comparison));
  compareQueued(comparison);
  const reached = [...comparison.pairs.values()];
  const unreached = compareUnreached(comparison);

  const reach = reachOf(roots);
  const judging = { gated: options.gated ?? "additive", gateOf: createGateFinder(comparison.after) };
  const judged = judgeOfferedOptions(
    [...reached, ...unreached].flatMap((pair) =>
      pair.differences.map((difference) => ({
        difference,
        change: classify(pair, difference, reach.get(pair), judging),
      })),
    ),
    judging.gated,
  );
  const changes = [
    ...judged.map(({ change }) => change),
    ...batchChanges(comparison),
    ...[...reached, ...unreached].flatMap((pair) => rewording(pair)),
  ]
    // A change of a title or an annotation without effect is left out.
    .filter((change) => change.class !== "none" || (change.code !== "title" && change.code !== "annotation"))
    .sort(byImportance);

  const definitions = definitionNews(comparison, news, judged, roots);
  const api = diffApi(before, after, identity, { definitions, changes: judged.map(({ change }) => change) });
  const wire = gravest([...news.map((one) => one.class), ...changes.map((one) => one.class)]);
  return {
    class: gravest([wire, api.class]),
    wire,
    api,
    methods: news,
    changes,
    definitions,
    rewordings: [...reached, ...unreached].flatMap((pair) =>
      pair.rewordings.map((one) => ({ ...one, path: `${pair.after}${one.path}` })),
    ),
    unknownKeywords: comparison.after.unknownKeywords,
    counts: { before: count(comparison.before), after: count(comparison.after) },
  };
}

function count(model: Model): { definitions: number; methods: number } {
  return {
    definitions: model.names.length,
    methods: new Set(model.methods.map(({ name }) => name)).size,
  };
}

/** Compares ids and errors, which belong to no method. */
function envelopeRoots(comparison: Comparison): Root[] {
  const before = envelopeSlots(comparison.before);
  const after = envelopeSlots(comparison.after);
  const roots: Root[] = [];
  for (const [name, slot] of before) {
    const now = after.get(name);
    if (now === undefined) continue;
    const [definition = name, ...rest] = name.split(".");
    const pair: Pair = { before: definition, after: definition, differences: [], rewordings: [], links: [] };
    comparison.pairs.set(`envelope ${name}`, pair);
    compareShapes(comparison, { ...rootPlace(pair), path: `.${rest.join(".")}` }, slot.shape, now.shape);
    // The descriptions of envelopes are compared elsewhere.
    pair.rewordings.length = 0;
    const directions =
      slot.writer === "both"
        ? [["agent", "client"] as const, ["client", "agent"] as const]
        : [[slot.writer, slot.writer === "agent" ? "client" : "agent"] as const];
    for (const [writer, reader] of directions)
      roots.push({ pair, direction: { writer, reader }, method: "any method" });
  }
  return roots;
}

/** Compares a file without methods by its definitions. */
function allDefinitions(comparison: Comparison): Root[] {
  return comparison.before.names
    .filter((name) => comparison.after.shape(name) !== undefined)
    .flatMap((name) => {
      const key = `${name}\n${name}`;
      const pair = comparison.pairs.get(key) ?? {
        before: name,
        after: name,
        differences: [],
        rewordings: [],
        links: [],
      };
      if (!comparison.pairs.has(key)) {
        comparison.pairs.set(key, pair);
        comparison.queue.push(pair);
      }
      return [
        { pair, direction: { writer: "agent", reader: "client" }, method: "" },
        { pair, direction: { writer: "client", reader: "agent" }, method: "" },
      ];
    });
}

function batchChanges(comparison: Comparison): Change[] {
  const before = batchSenders(comparison.before);
  const after = batchSenders(comparison.after);
  return [...new Set([...before, ...after])]
    .filter((sender) => before.has(sender) !== after.has(sender))
    .map((sender) => ({
      class: "breaking" as const,
      code: "batch" as const,
      kind: undefined,
      definition: "(messages)",
      path: `(messages from the ${sender})`,
      directions: [sender === "agent" ? "agent → client" : "client → agent"],
      says: before.has(sender)
        ? `may no longer come as a JSON-RPC batch; ${sender}s have to send them one by one`
        : `may come as a JSON-RPC batch now; ${sender === "agent" ? "clients" : "agents"} have to accept an array`,
      affects: [before.has(sender) === (sender === "agent") ? "agent" : "client"],
      note: undefined,
      methods: [],
    }));
}

function rewording(pair: Pair): Change[] {
  if (pair.rewordings.length === 0) return [];
  const linksOnly = pair.rewordings.every((one) => one.linksOnly);
  const paths = pair.rewordings.filter((one) => linksOnly || !one.linksOnly).map(({ path }) => path);
  const metaOnly = paths.every((path) => path === "._meta");
  return [
    {
      class: "documentation",
      code: "documentation",
      kind: linksOnly ? "links" : metaOnly ? "meta-description" : undefined,
      definition: pair.after,
      path: pair.after,
      directions: [],
      affects: [],
      says: linksOnly
        ? "has the same description, but with different links"
        : `has a changed description: ${paths.map((path) => `\`${pair.after}${path}\``).join(", ")}`,
      note: undefined,
      methods: [],
    },
  ];
}
