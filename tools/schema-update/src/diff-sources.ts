import { type ChangeClass, gravest } from "./classify/change.js";
import { type DiffOptions, diffSchemas, type FileDiff } from "./diff.js";
import type { SchemaFile, Source, Stability } from "./source/schema-file.js";

/** The comparison of one protocol version at one stability. */
export interface SchemaDiff extends FileDiff {
  readonly protocolVersion: number;
  readonly stability: Stability;
  /** The paths inside the sources. */
  readonly paths: { readonly before: string; readonly after: string };
  /** Whether the two files differ in version or stability, because the other source has no file of the same kind. */
  readonly across: boolean;
  /** Additions that were a part of the unstable schema before. They have become stable. */
  readonly stabilised: readonly string[];
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
  readonly class: ChangeClass;
  /** Stable before unstable, version 1 before version 2. */
  readonly schemas: readonly SchemaDiff[];
  readonly lone: readonly LoneFile[];
}

/** Compares two sources. Each file is compared with the file of the same version and stability. */
export function diffSources(before: Source, after: Source, options: DiffOptions = {}): SourceDiff {
  const pairs = pairFiles(before.files, after.files);
  const schemas = pairs.map(([a, b]): SchemaDiff => {
    const diff = diffSchemas(a.document, b.document, options, {
      identity: b,
      meta: { before: a.meta, after: b.meta },
    });
    const unstable = before.files.find(
      (file) => file.protocolVersion === b.protocolVersion && file.stability === "unstable",
    );
    return {
      protocolVersion: b.protocolVersion,
      stability: b.stability,
      paths: { before: a.path, after: b.path },
      across: a.protocolVersion !== b.protocolVersion || a.stability !== b.stability,
      stabilised:
        b.stability === "stable" && a.stability === "stable" && unstable !== undefined
          ? stabilised(diff, unstable)
          : [],
      ...diff,
    };
  });
  const paired = new Set(pairs.flat());
  const lone = [
    ...before.files.map((file) => ["before", file] as const),
    ...after.files.map((file) => ["after", file] as const),
  ]
    .filter(([, file]) => !paired.has(file))
    .map(([side, { path, protocolVersion, stability }]) => ({ in: side, path, protocolVersion, stability }));
  return { before: before.label, after: after.label, class: gravest(schemas.map((one) => one.class)), schemas, lone };
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
  // If a single file has no counterpart of the same stability, it is compared with the file of the same version and the other stability.
  const other = (only === a ? after : before).find((file) => file.protocolVersion === only.protocolVersion);
  if (other === undefined) return [];
  return only === a ? [[only, other]] : [[other, only]];
}

/** Returns the methods and definitions that are new in the stable schema and were in the unstable schema before. */
function stabilised(diff: FileDiff, unstable: SchemaFile): readonly string[] {
  const text = JSON.stringify(unstable.document);
  const methods = diff.methods.filter(
    ({ change, name }) => change === "added" && text.includes(`"x-method":${JSON.stringify(name)}`),
  );
  const definitions = diff.definitions.added.filter(({ name }) => text.includes(`${JSON.stringify(name)}:{`));
  return [...methods.map(({ name }) => name), ...definitions.map(({ name }) => name)];
}
