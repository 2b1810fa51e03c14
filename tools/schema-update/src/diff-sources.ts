import { compareModels } from "./compare/compare.js";
import { type Difference, type Effect, gravest } from "./difference.js";
import { type Model, modelOf, unreadableBecause } from "./model.js";
import type { SchemaFile, Source, Stability } from "./source/schema-file.js";

/** The comparison of one protocol version at one stability. */
export interface SchemaDiff {
  readonly protocolVersion: number;
  readonly stability: Stability;
  /** The most severe effect. */
  readonly effect: Effect;
  /** Every difference, the most important first. */
  readonly differences: readonly Difference[];
  /** Why the generator can't read the new file, or can't generate code from it. */
  readonly problems: readonly string[];
  /** The paths inside the sources. */
  readonly paths: { readonly before: string; readonly after: string };
  /** Whether the two files differ in version or stability, because the other source has no file of the same kind. */
  readonly across: boolean;
  /** Additions that were a part of the unstable schema before. They have become stable. */
  readonly stabilised: readonly string[];
  readonly counts: Readonly<Record<"before" | "after", { readonly methods: number; readonly definitions: number }>>;
}

/** A file that exists in only one of the sources. */
export interface LoneFile {
  readonly in: "before" | "after";
  readonly path: string;
  readonly protocolVersion: number;
  readonly stability: Stability;
}

export interface SourceDiff {
  readonly before: string;
  readonly after: string;
  readonly effect: Effect;
  /** Stable before unstable, version 1 before version 2. */
  readonly schemas: readonly SchemaDiff[];
  readonly lone: readonly LoneFile[];
}

/** Compares two sources. Each file is compared with the file of the same version and stability. */
export function diffSources(before: Source, after: Source): SourceDiff {
  const pairs = pairFiles(before.files, after.files);
  const schemas: SchemaDiff[] = [];
  for (const [a, b] of pairs) {
    const stable = schemas.find(
      (one) => b.stability === "unstable" && one.protocolVersion === b.protocolVersion && one.stability === "stable",
    );
    const unstable = before.files.find(
      (file) => a.stability === "stable" && file.protocolVersion === b.protocolVersion && file.stability === "unstable",
    );
    schemas.push(diffFiles(a, b, stable, unstable));
  }
  const paired = new Set(pairs.flat());
  const lone = [
    ...before.files.map((file) => ["before", file] as const),
    ...after.files.map((file) => ["after", file] as const),
  ]
    .filter(([, file]) => !paired.has(file))
    .map(([side, { path, protocolVersion, stability }]) => ({ in: side, path, protocolVersion, stability }));
  return { before: before.label, after: after.label, effect: gravest(schemas), schemas, lone };
}

/** `v1`, `v2 unstable` */
export function schemaName({ protocolVersion, stability }: Pick<SchemaDiff, "protocolVersion" | "stability">): string {
  return `v${protocolVersion}${stability === "stable" ? "" : " unstable"}`;
}

function diffFiles(
  a: SchemaFile,
  b: SchemaFile,
  stable: SchemaDiff | undefined,
  unstable: SchemaFile | undefined,
): SchemaDiff {
  const same = Buffer.from(a.bytes).equals(b.bytes);
  const about = {
    protocolVersion: b.protocolVersion,
    stability: b.stability,
    paths: { before: a.path, after: b.path },
    across: a.protocolVersion !== b.protocolVersion || a.stability !== b.stability,
  };
  const unreadable = [...unreadableBecause(a), ...(same ? [] : unreadableBecause(b))];
  if (unreadable.length > 0) {
    const counts = {
      before: { methods: 0, definitions: a.definitions },
      after: { methods: 0, definitions: b.definitions },
    };
    return { ...about, effect: "breaking", differences: [], problems: unreadable, stabilised: [], counts };
  }
  const [before, after] = [modelOf(a), modelOf(same ? a : b)];
  const found = compareModels(before, after);
  const inStable = new Set(stable?.differences.map(keyOf));
  const differences = found.length === 0 && !same ? [respelled] : found;
  return {
    ...about,
    effect: gravest(differences),
    problems: same || after.problem === undefined ? [] : [after.problem],
    differences: differences.map((one) => (inStable.has(keyOf(one)) ? { ...one, shared: true } : one)),
    stabilised:
      unstable === undefined || unreadableBecause(unstable).length > 0
        ? []
        : stabilised(before, after, modelOf(unstable)),
    counts: { before: countsOf(a, before), after: countsOf(b, after) },
  };
}

/** The generated files contain the checksum of the schema, so they change with every byte. */
const respelled: Difference = {
  ...{ effect: "documentation", code: "spelling", path: "(schema)" },
  says: "is spelled differently, or its parts are in another order; types and decoders are the same",
  ...{ directions: [], affects: [], methods: [], names: [] },
};

function keyOf({ effect, code, path, says }: Difference): string {
  return `${effect} ${code} ${path} ${says}`;
}

/** Returns the methods and definitions that are new in the stable schema and were in the unstable schema before. */
function stabilised(before: Model, after: Model, unstable: Model): readonly string[] {
  const names = ({ ir }: Model): string[] => [...new Set(ir.methods.map(({ name }) => name)), ...ir.definitions.keys()];
  const [old, drafts] = [new Set(names(before)), new Set(names(unstable))];
  return names(after).filter((name) => !old.has(name) && drafts.has(name));
}

function countsOf(file: SchemaFile, { ir }: Model): { readonly methods: number; readonly definitions: number } {
  return { methods: new Set(ir.methods.map(({ name }) => name)).size, definitions: file.definitions };
}

/** Pairs the files. Two single files are always a pair; otherwise version and stability must be equal. */
function pairFiles(
  before: readonly SchemaFile[],
  after: readonly SchemaFile[],
): readonly (readonly [SchemaFile, SchemaFile])[] {
  const [a, ...moreBefore] = before;
  const [b, ...moreAfter] = after;
  if (a !== undefined && b !== undefined && moreBefore.length === 0 && moreAfter.length === 0) return [[a, b]];
  const only =
    a !== undefined && moreBefore.length === 0 ? a : b !== undefined && moreAfter.length === 0 ? b : undefined;
  const rank = (file: SchemaFile): number => (file.stability === "stable" ? 0 : 100) + file.protocolVersion;
  const pairs = [...before]
    .sort((x, y) => rank(x) - rank(y))
    .flatMap((file) => {
      const other = after.find(
        (one) => one.protocolVersion === file.protocolVersion && one.stability === file.stability,
      );
      return other === undefined ? [] : [[file, other] as const];
    });
  if (pairs.length > 0 || only === undefined) return pairs;
  // If a single file has no counterpart of the same stability, it is compared with the file of the same version and the
  // other stability.
  const other = (only === a ? after : before).find((file) => file.protocolVersion === only.protocolVersion);
  if (other === undefined) return [];
  return only === a ? [[only, other]] : [[other, only]];
}
