import { isDeepStrictEqual } from "node:util";
import { mentions } from "@acp-kit/codegen/direction";
import type { Node, Property, SchemaIr } from "@acp-kit/codegen/ir";
import { conjunction } from "../difference.js";
import { isObject } from "../source/schema-file.js";
import {
  type Alternatives,
  allMembers,
  alternativesOf,
  describe,
  type List,
  resolved,
  type Scalar,
  splitBy,
  type Variant,
  withoutNull,
} from "./alternatives.js";
import { compareOrder, isExclusive } from "./compare-order.js";
import { compareLeast, compareScalars } from "./compare-scalars.js";
import { at, Findings, type Place } from "./finding.js";

/** Compares the types of the generator's models of two schemas, from the params and results of their methods. */
export class TypeComparison {
  readonly findings: Findings = new Findings();
  /** The definitions with another name in the new schema. */
  readonly renamed = new Map<string, string>();
  readonly #before: SchemaIr;
  readonly #after: SchemaIr;
  readonly #visited = new Set<string>();
  /** The definitions that are not the same in both schemas, or contain one that is not. */
  readonly #changed: ReadonlySet<string>;

  constructor(before: SchemaIr, after: SchemaIr) {
    this.#before = before;
    this.#after = after;
    this.#changed = changedDefinitions(before, after);
  }

  /** Compares the types at one place. */
  compare(place: Place, a: Node, b: Node): void {
    const [x, y] = [withoutNull(this.#before, a), withoutNull(this.#after, b)];
    if (x.node.kind === "ref" && y.node.kind === "ref" && this.#correspond(x.node.name, y.node.name)) {
      if (x.nullable !== y.nullable && !this.#acceptsNull(x.node, y.node)) this.#null(place, y.nullable);
      this.#definitions(place, x.node.name, y.node.name);
      return;
    }
    if (x.node.kind === "union" && y.node.kind === "union") this.#unions(place, x.node, y.node);
    const [p, q] = [resolved(this.#before, x.node), resolved(this.#after, y.node)];
    if (p.kind === "object" && q.kind === "object" && p.flattened !== undefined && q.flattened !== undefined) {
      if (x.nullable !== y.nullable) this.#null(place, y.nullable);
      const [left, right] = [p, q].map(({ properties }) => new Map(properties.map((one) => [one.name, one])));
      if (left !== undefined && right !== undefined) this.#members(place, left, right, false, new Set());
      this.compare(place, p.flattened, q.flattened);
      return;
    }
    this.#alternatives(place, alternativesOf(this.#before, a), alternativesOf(this.#after, b), x.node, y.node);
  }

  /** Whether two definitions are the same: by name, or because each name exists in only one of the schemas. */
  #correspond(a: string, b: string): boolean {
    return a === b || (!this.#after.definitions.has(a) && !this.#before.definitions.has(b));
  }

  #acceptsNull(a: Node, b: Node): boolean {
    return alternativesOf(this.#before, a).null && alternativesOf(this.#after, b).null;
  }

  #definitions(place: Place, a: string, b: string): void {
    if (a !== b) this.renamed.set(a, b);
    const { direction, recovers, method } = place;
    const key = [a, b, direction.writer, recovers, method].join(" ");
    if (this.#visited.has(key)) return;
    this.#visited.add(key);
    const [x, y] = [this.#before.definitions.get(a)?.node, this.#after.definitions.get(b)?.node];
    if (x === undefined || y === undefined || (a === b && !this.#changed.has(a))) return;
    this.compare({ ...place, definition: b, path: b, nullIsEmpty: false }, x, y);
  }

  #unions(place: Place, a: Extract<Node, { kind: "union" }>, b: Extract<Node, { kind: "union" }>): void {
    compareOrder(this.findings, place, this.#before, a, b);
    const [was, is] = [isExclusive(this.#before, a), isExclusive(this.#after, b)];
    if (was === is || a.branches.length < 2 || b.branches.length < 2) return;
    const what = is
      ? "must match exactly one of its forms now (`oneOf`, was `anyOf`)"
      : "may match several of its forms now (`anyOf`, was `oneOf`)";
    this.findings.add(place, { code: "exclusive", change: is ? "narrowed" : "widened", what });
  }

  #null(place: Place, isNew: boolean): void {
    if (isNew)
      this.findings.add(place.nullIsEmpty ? { ...place, recovers: true } : place, {
        code: "null-added",
        change: "widened",
        what: "may be `null` now",
      });
    else
      this.findings.add(place, {
        code: "null-removed",
        change: "narrowed",
        what: "may no longer be `null`",
        demand: (who) => `${who.writers} must not send it`,
      });
  }

  #alternatives(place: Place, a: Alternatives, b: Alternatives, from: Node, to: Node): void {
    const [lost, won] = [this.#unmatched(this.#before, from, a, b), this.#unmatched(this.#after, to, b, a)];
    if (this.#any(place, a, b, from, to, lost, won)) return;
    if (a.null !== b.null) this.#null(place, b.null);
    for (const x of a.scalars) {
      const y =
        b.scalars.find(({ kind }) => kind === x.kind) ?? b.scalars.find((one) => isNumeric(one) && isNumeric(x));
      if (y !== undefined) compareScalars(this.findings, place, x, y);
    }
    this.#lists(place, a.lists, b.lists);
    for (const [index, values] of a.maps.entries()) {
      const now = b.maps[index];
      if (now !== undefined) this.compare(at(place, "{}"), values, now);
    }
    if (a.variants.length > 0 && b.variants.length > 0) this.#variants(place, a.variants, b.variants);
    this.#kinds(place, lost, won);
  }

  /** Compares places that accept every value. Returns whether one of them did. */
  #any(
    place: Place,
    a: Alternatives,
    b: Alternatives,
    from: Node,
    to: Node,
    lost: readonly string[],
    won: readonly string[],
  ): boolean {
    if (!a.any && !b.any) return false;
    // For a year, the schema described `_meta` as any value, and then as the map that it always was.
    if (a.any && !b.any && !place.path.endsWith("._meta"))
      this.findings.add(place, { code: "type-changed", change: "narrowed", what: `is ${describe(to)}, was any value` });
    if (!a.any)
      this.findings.add(place, {
        code: "type-changed",
        change: "widened",
        what: `may be any value now, was ${describe(from)}`,
      });
    // Other alternatives beside "any value" are only documentation.
    if (a.any && b.any && won.length > 0)
      this.findings.add(place, {
        code: "type-added",
        change: "known",
        what: `names the form ${won.join(" or ")}; any value stays valid`,
      });
    if (a.any && b.any && lost.length > 0)
      this.findings.add(place, {
        code: "type-removed",
        change: "lost",
        what: `no longer names the form ${lost.join(" or ")}; any value stays valid`,
      });
    return true;
  }

  /** Describes the alternatives whose JSON type the other schema does not accept. */
  #unmatched(ir: SchemaIr, node: Node, own: Alternatives, other: Alternatives): string[] {
    const scalars = own.scalars.filter(
      (x) => !other.scalars.some((y) => y.kind === x.kind || (isNumeric(x) && isNumeric(y))),
    );
    const inner = withoutNull(ir, node).node;
    const named = inner.kind === "ref" ? `\`${inner.name}\`` : undefined;
    return [
      ...scalars.map(describeScalar),
      ...(own.boolean && !other.boolean ? ["boolean"] : []),
      ...own.lists.slice(other.lists.length).map(({ items }) => `array of ${describe(items)}`),
      ...(own.variants.length > 0 && other.variants.length === 0
        ? [
            named ??
              own.variants
                .map(({ definition, title }) =>
                  (definition ?? title) === undefined ? "object" : `\`${definition ?? title}\``,
                )
                .join(" or "),
          ]
        : []),
      ...(own.maps.length > 0 && other.maps.length === 0 && other.variants.length === 0 ? [named ?? "object"] : []),
    ];
  }

  #kinds(place: Place, lost: readonly string[], won: readonly string[]): void {
    const [was, is] = [lost.join(" or "), won.join(" or ")];
    if (lost.length > 0 && won.length > 0)
      this.findings.add(place, { code: "type-changed", change: "replaced", what: `is ${is}, was ${was}` });
    else if (lost.length > 0)
      this.findings.add(place, {
        code: "type-removed",
        change: "narrowed",
        what: `may no longer be ${was}`,
        demand: (who) => `${who.writers} must not send it`,
      });
    else if (won.length > 0)
      this.findings.add(place, { code: "type-added", change: "widened", what: `may also be ${is} now` });
  }

  #lists(place: Place, a: readonly List[], b: readonly List[]): void {
    const several = a.length > 1 || b.length > 1;
    const left = new Set(b);
    for (const x of a) {
      const y =
        [...left].find(({ title }) => title !== undefined && title === x.title) ??
        [...left].find(({ items }) => describe(items) === describe(x.items)) ??
        [...left][0];
      if (y === undefined) continue;
      left.delete(y);
      const here = several ? at(place, `(${y.title ?? describe(y.items).replaceAll("`", "")})`) : place;
      compareLeast(this.findings, here, x.minItems, y.minItems, "item");
      this.compare(at(here, "[]"), x.items, y.items);
    }
  }

  #variants(place: Place, before: readonly Variant[], after: readonly Variant[]): void {
    const [a, b] = this.#split(before, after);
    const isUnion = a.length > 1 || b.length > 1;
    const { matched, removed, added } = matchVariants(this.#before, this.#after, a, b);
    const moved = movedTag(matched);
    if (moved !== undefined) {
      const what = `is distinguished by \`${moved.after}\`, was \`${moved.before}\``;
      this.findings.add(place, { code: "tag-renamed", change: "replaced", what });
    }
    for (const [x, y] of matched) {
      if (!isUnion && x.definition !== undefined && y.definition !== undefined && x.definition !== y.definition) {
        this.renamed.delete(x.definition);
      }
      const here = isUnion ? at(place, `(${y.name})`) : place;
      this.#variant(here, x, y, new Set(moved === undefined ? [] : [moved.before, moved.after]), isUnion);
    }
    if (!isUnion) return;
    const wasOpen = a.some(({ catchAll }) => catchAll);
    const isOpen = b.some(({ catchAll }) => catchAll);
    const tags = (variants: readonly Variant[]): string[] =>
      variants.flatMap(({ tag }) => (tag === undefined ? [] : [tag.value]));
    for (const variant of removed) this.#removed(place, variant, added, isOpen, tags(b));
    for (const variant of added) this.#added(place, variant, wasOpen, tags(a));
  }

  /** If only one schema has a union, splits the object of the other by the union's tag, if possible. */
  #split(a: readonly Variant[], b: readonly Variant[]): [readonly Variant[], readonly Variant[]] {
    const tagIn = (variants: readonly Variant[]): string | undefined =>
      variants.flatMap(({ tag }) => (tag === undefined ? [] : [tag.member]))[0];
    const [x, y] = [a[0], b[0]];
    const [left, right] = [tagIn(a), tagIn(b)];
    if (a.length === 1 && x !== undefined && right !== undefined && left === undefined)
      return [splitBy(this.#before, x, right), b];
    if (b.length === 1 && y !== undefined && left !== undefined && right === undefined)
      return [a, splitBy(this.#after, y, left)];
    return [a, b];
  }

  #variant(place: Place, a: Variant, b: Variant, reported: ReadonlySet<string>, isUnion: boolean): void {
    if (
      isUnion &&
      a.definition !== undefined &&
      b.definition !== undefined &&
      this.#correspond(a.definition, b.definition)
    ) {
      this.#definitions(place, a.definition, b.definition);
      return;
    }
    const sameTag = a.tag !== undefined && a.tag.member === b.tag?.member ? [a.tag.member] : [];
    const skipped = new Set([...reported, ...sameTag]);
    const [x, y] = [a.payload, b.payload];
    if (x !== undefined && y !== undefined && this.#correspond(x, y) && !this.#memberMoved(a, b)) {
      this.#definitions(place, x, y);
      this.#members(place, a.members, b.members, a.catchAll, skipped);
    } else {
      const [left, right] = [allMembers(this.#before, a), allMembers(this.#after, b)];
      this.#members(place, left, right, a.catchAll, skipped);
    }
    this.#flattened(place, a.flattened, b.flattened);
  }

  /** Whether a member moved between the object and its payload, which changes nothing on the wire. */
  #memberMoved(a: Variant, b: Variant): boolean {
    const [before, after] = [allMembers(this.#before, a), allMembers(this.#after, b)];
    return (
      [...a.members.keys()].some((name) => !b.members.has(name) && after.has(name)) ||
      [...b.members.keys()].some((name) => !a.members.has(name) && before.has(name))
    );
  }

  #flattened(place: Place, a: Node | undefined, b: Node | undefined): void {
    if (a !== undefined && b !== undefined) this.compare(place, a, b);
    else if (b !== undefined)
      this.findings.add(place, { code: "type-changed", change: "narrowed", what: `must also match ${describe(b)}` });
    else if (a !== undefined)
      this.findings.add(place, {
        code: "type-changed",
        change: "widened",
        what: `no longer has to match ${describe(a)}`,
      });
  }

  #members(
    place: Place,
    a: ReadonlyMap<string, Property>,
    b: ReadonlyMap<string, Property>,
    catchAll: boolean,
    skipped: ReadonlySet<string>,
  ): void {
    for (const [name, member] of a) {
      if (skipped.has(name)) continue;
      const now = b.get(name);
      if (now !== undefined) this.#member(place, member, now);
      // A variant with an unknown tag keeps every member.
      else if (catchAll && !member.required)
        this.findings.add(at(place, `.${name}`), {
          code: "member-removed",
          change: "known",
          what: "is no longer described for unknown variants, which may still carry it",
        });
      else
        this.findings.add(at(place, `.${name}`), {
          code: "member-removed",
          change: "lost",
          what: "was removed",
          demand: (who) => `${who.readers} no longer receive it`,
        });
    }
    for (const [name, { required }] of b) {
      if (a.has(name) || skipped.has(name)) continue;
      this.findings.add(at(place, `.${name}`), {
        code: "member-added",
        change: required ? "narrowed" : "known",
        what: required ? "is new and required" : "is new and optional",
        demand: (who) => `${who.writers} have to send it`,
      });
    }
  }

  #member(place: Place, a: Property, b: Property): void {
    const here = at(place, `.${a.name}`);
    if (!a.required && b.required)
      this.findings.add(here, {
        code: "member-required",
        change: "narrowed",
        what: "is required now",
        demand: (who) => `${who.writers} have to send it`,
      });
    // A missing member is an error even where a malformed one is replaced, because the recovery rule needs a value.
    if (a.required && !b.required)
      this.findings.add(
        { ...here, recovers: false },
        {
          code: "member-optional",
          change: "widened",
          what: "may be omitted now",
          demand: (who) => `${who.readers} must handle its absence`,
        },
      );
    compareRecovery(this.findings, here, a, b);
    compareDefaults(this.findings, here, a.default, b.default);
    const inside = { ...at(here, "", a.defaultOnError || a.skipInvalidItems), nullIsEmpty: a.defaultOnNull };
    this.compare(inside, a.node, b.node);
  }

  #removed(
    place: Place,
    { name, catchAll, payload }: Variant,
    added: readonly Variant[],
    stillValid: boolean,
    others: readonly string[],
  ): void {
    if (catchAll) {
      this.findings.add(place, {
        code: "closed",
        change: "narrowed",
        what: "accepts only known variants now",
        demand: (who) => `${who.writers} must not send others`,
      });
      return;
    }
    const heir = payload === undefined ? undefined : added.find((one) => one.payload === payload);
    const now = heir === undefined ? "" : ` (\`${heir.name}\` has the same payload now)`;
    this.findings.add(at(place, `(${name})`), {
      code: "variant-removed",
      change: "lost",
      among: { name, others },
      what: `was removed${now}${stillValid ? "; it stays valid as an unknown variant" : ""}`,
      demand: (who) =>
        stillValid ? `${who.readers} need not understand it any more` : `${who.writers} must not send it`,
    });
  }

  #added(
    place: Place,
    { name, catchAll, payload, definition, doc }: Variant,
    open: boolean,
    others: readonly string[],
  ): void {
    if (catchAll) {
      this.findings.add(place, {
        code: "opened",
        change: "widened",
        what: "accepts unknown variants now",
        demand: (who) => `${who.readers} have to expect them`,
      });
      return;
    }
    const described = this.#after.definitions.get(payload ?? definition ?? "")?.doc;
    this.findings.add(at(place, `(${name})`), {
      code: "variant-added",
      change: "widened",
      open,
      among: { name, others },
      novelty: { name, doc: [doc, described].filter((one) => one !== undefined).join("\n") },
      what: `is a new variant${open ? " of an open union" : ""}`,
    });
  }
}

const isNumeric = ({ kind }: Scalar): boolean => kind === "integer" || kind === "number";

const describeScalar = ({ kind, values, rest }: Scalar): string =>
  rest === undefined
    ? conjunction([...values.keys()].map((value) => `\`${value}\``))
    : rest.format === undefined
      ? kind
      : `${kind} (${rest.format})`;

function changedDefinitions(before: SchemaIr, after: SchemaIr): ReadonlySet<string> {
  const textOf = (ir: SchemaIr, name: string): string =>
    JSON.stringify(ir.definitions.get(name)?.node, (key, value: unknown) => (key === "doc" ? undefined : value)) ?? "";
  const names = [...before.definitions.keys()];
  const changed = new Set(names.filter((name) => textOf(before, name) !== textOf(after, name)));
  for (let size = -1; size !== changed.size; ) {
    size = changed.size;
    for (const { name, node } of before.definitions.values()) if (mentions(node, changed)) changed.add(name);
  }
  return changed;
}

interface Matching {
  readonly matched: readonly (readonly [Variant, Variant])[];
  readonly removed: readonly Variant[];
  readonly added: readonly Variant[];
}

/** Finds the variants that correspond: by tag, then by definition, then by title, then by their members. */
function matchVariants(before: SchemaIr, after: SchemaIr, a: readonly Variant[], b: readonly Variant[]): Matching {
  const matched: [Variant, Variant][] = [];
  const [left, right] = [new Set(a), new Set(b)];
  const pair = (fits: (x: Variant, y: Variant) => boolean): void => {
    for (const x of left) {
      const y = [...right].find((one) => fits(x, one));
      if (y === undefined) continue;
      matched.push([x, y]);
      left.delete(x);
      right.delete(y);
    }
  };
  const isUnion = a.length > 1 || b.length > 1;
  pair((x, y) => x.tag !== undefined && x.tag.value === y.tag?.value);
  pair((x, y) => x.catchAll && y.catchAll);
  // Objects with different tags are different variants, even if they are similar. But a single object may have gained
  // or lost its tag.
  const free = (x: Variant, y: Variant): boolean =>
    !isUnion || ((x.tag === undefined || y.tag === undefined) && x.catchAll === y.catchAll);
  const typeOf = ({ payload, definition }: Variant): string | undefined => payload ?? definition;
  pair((x, y) => free(x, y) && typeOf(x) !== undefined && typeOf(x) === typeOf(y));
  pair((x, y) => free(x, y) && x.title !== undefined && x.title === y.title);
  for (const least of [1, 0.5, 0.3])
    pair((x, y) => free(x, y) && likeness(allMembers(before, x), allMembers(after, y)) >= least);
  if (!isUnion) pair(() => true);
  return { matched, removed: [...left], added: [...right] };
}

/** Returns the share of members that two objects have in common, apart from `_meta`. */
export function likeness(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): number {
  const [x, y] = [a, b].map((map) => [...map.keys()].filter((name) => name !== "_meta")) as [string[], string[]];
  const common = x.filter((name) => y.includes(name)).length;
  const all = new Set([...x, ...y]).size;
  return all === 0 ? 1 : common / all;
}

function movedTag(matched: Matching["matched"]): { readonly before: string; readonly after: string } | undefined {
  for (const [{ tag: a }, { tag: b }] of matched)
    if (a !== undefined && b !== undefined && a.member !== b.member) return { before: a.member, after: b.member };
  return undefined;
}

const rules: readonly (readonly [keyof Property, on: string, off: string])[] = [
  ["defaultOnError", "a malformed value is replaced", "a malformed value fails"],
  ["skipInvalidItems", "malformed items are skipped", "a malformed item fails"],
  ["defaultOnNull", "`null` counts as empty", "`null` fails"],
];

function compareRecovery(findings: Findings, place: Place, a: Property, b: Property): void {
  const lost = rules.filter(([rule]) => a[rule] === true && b[rule] !== true).map(([, , off]) => off);
  const gained = rules.filter(([rule]) => a[rule] !== true && b[rule] === true).map(([, on]) => on);
  if (lost.length + gained.length === 0) return;
  const parts = [
    ...(lost.length > 0 ? [`decodes more strictly: ${conjunction(lost)}`] : []),
    ...(gained.length > 0 ? [`${lost.length > 0 ? "but" : "decodes more tolerantly:"} ${conjunction(gained)}`] : []),
  ];
  findings.add(place, { code: "leniency", change: "decoder", what: parts.join(", ") });
}

function compareDefaults(findings: Findings, place: Place, a: Property["default"], b: Property["default"]): void {
  if (isDeepStrictEqual(a, b)) return;
  const what =
    b === undefined
      ? `has no default any more (was \`${short(a?.value)}\`)`
      : a === undefined
        ? `has the default \`${short(b.value)}\` now`
        : isObject(a.value) && isObject(b.value)
          ? `has a different default: ${memberNews(a.value, b.value, "").join(", ")}`
          : `has the default \`${short(b.value)}\`, was \`${short(a.value)}\``;
  findings.add(place, {
    code: "default",
    change: "decoder",
    what: `${what}; decoders use the default if the value is missing`,
  });
}

/** Compares the default of an object member by member, because it repeats the members' defaults. */
function memberNews(old: Record<string, unknown>, now: Record<string, unknown>, path: string): string[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((key) => {
    const [x, y] = [old[key], now[key]];
    if (key in old === key in now && isDeepStrictEqual(x, y)) return [];
    if (isObject(x) && isObject(y)) return memberNews(x, y, `${path}${key}.`);
    return [key in now ? `\`${path}${key}: ${short(y)}\`` : `no \`${path}${key}\``];
  });
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
