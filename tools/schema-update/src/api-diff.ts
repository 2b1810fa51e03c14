import { isDeepStrictEqual } from "node:util";
import type { LoadedSchema } from "@acp-kit/codegen/load";
import { type Surface, surfaceOf } from "@acp-kit/codegen/surface";
import type { Change, ChangeClass } from "./classify/change.js";
import { type DefinitionEntry, type DefinitionNews, envelopeWords } from "./classify/definition-news.js";
import type { JsonObject } from "./normalize/json.js";

/** An exported name, before and after. */
export interface Renaming {
  readonly before: string;
  readonly after: string;
}

/** The changes of the generated exports. They are separate from messages, because a renamed type changes no wire message. */
export interface ApiDiff {
  /** `api` if a name that applications import was removed. */
  readonly class: ChangeClass;
  readonly renamed: readonly Renaming[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Exports whose declaration changed. */
  readonly changed: readonly string[];
  /** Params and results whose decoder changed. */
  readonly decoders: readonly string[];
  /** Entries of the method tables that changed: `agent request session/new`. */
  readonly methods: readonly string[];
  /** The reason why the generated code could not be compared. The names of exports are then estimated from definitions and titles. */
  readonly estimated: string | undefined;
}

/** The version and stability of a schema, which determine the folder of its generated code. */
export interface SchemaIdentity {
  readonly protocolVersion: number;
  readonly stability: "stable" | "unstable";
}

/** Compares the code that is generated from two documents. */
export function diffApi(
  before: JsonObject,
  after: JsonObject,
  identity: SchemaIdentity,
  messages: { readonly definitions: DefinitionNews; readonly changes: readonly Change[] },
): ApiDiff {
  let surfaces: { before: Surface; after: Surface };
  try {
    const surface = surfaceOf(loaded(before, identity));
    // Most files of a release are unchanged.
    const same = isDeepStrictEqual(before, after);
    surfaces = { before: surface, after: same ? surface : surfaceOf(loaded(after, identity)) };
  } catch (error) {
    // The generator refuses older schemas, because they use other dialects.
    return estimate(messages, error instanceof Error ? error.message : String(error));
  }
  return compareSurfaces(surfaces.before, surfaces.after, messages.definitions.renamed);
}

function loaded(document: JsonObject, { protocolVersion, stability }: SchemaIdentity): LoadedSchema {
  const unstable = stability === "unstable";
  const id = `v${protocolVersion}${unstable ? "-unstable" : ""}`;
  const source = { path: "", package: "", sha256: "" };
  return { id, protocolVersion, unstable, source, document: document as unknown as LoadedSchema["document"] };
}

function compareSurfaces(before: Surface, after: Surface, renamings: readonly Renaming[]): ApiDiff {
  const gone = [...before.exports.keys()].filter((name) => !after.exports.has(name));
  const fresh = new Set([...after.exports.keys()].filter((name) => !before.exports.has(name)));
  const rename = renamer(renamings);
  const renamed = gone.flatMap((name): Renaming[] => {
    const heir = fresh.has(rename(name)) ? rename(name) : alike(name, before.exports, fresh, after.exports);
    if (heir === undefined) return [];
    fresh.delete(heir);
    return [{ before: name, after: heir }];
  });
  const removed = gone.filter((name) => !renamed.some((one) => one.before === name));
  // If code differs only because it mentions a renamed export, it has not changed.
  const settle = renamer([...renamings, ...renamed.filter(({ before: name }) => /^\w+$/.test(name))]);
  const differing = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] =>
    [...a].flatMap(([key, text]) => {
      const now = b.get(key) ?? b.get(settle(key));
      return now === undefined || canonicalText(settle(text)) === canonicalText(now) ? [] : [key];
    });
  const methods = [
    ...differing(before.methods, after.methods),
    ...[...after.methods.keys()].filter((key) => !before.methods.has(key)),
    ...[...before.methods.keys()].filter((key) => !after.methods.has(key)),
  ];
  const found = {
    renamed,
    removed,
    added: [...fresh],
    changed: differing(before.exports, after.exports),
    decoders: differing(before.decoders, after.decoders),
    methods,
    estimated: undefined,
  };
  return { ...found, class: classOf(found) };
}

/** Compares exports by the names of definitions and the titles of alternatives, if the generator can't read both files. */
function estimate({ definitions, changes }: Parameters<typeof diffApi>[3], reason: string): ApiDiff {
  const titles = changes.filter(({ code, path }) => code === "title" && path.endsWith(")")).map(({ path }) => path);
  // No type is generated for an envelope.
  const names = (entries: readonly DefinitionEntry[]): string[] =>
    entries.flatMap(({ name, because }) => (because === envelopeWords ? [] : [name]));
  const found = {
    renamed: definitions.renamed,
    removed: names(definitions.removed),
    added: names(definitions.added),
    changed: titles,
    decoders: [],
    methods: [],
    estimated: reason,
  };
  const own = found.renamed.length + found.removed.length + titles.length > 0;
  return { ...found, class: own ? "api" : found.added.length > 0 ? "additive" : "none" };
}

function classOf(found: Omit<ApiDiff, "class">): ChangeClass {
  if (found.renamed.length + found.removed.length > 0) return "api";
  if (found.added.length + found.changed.length + found.methods.length > 0) return "additive";
  return found.decoders.length > 0 ? "decoder behaviour" : "none";
}

/** Finds a new export with the same declaration, apart from its name. */
function alike(
  name: string,
  before: ReadonlyMap<string, string>,
  fresh: ReadonlySet<string>,
  after: ReadonlyMap<string, string>,
): string | undefined {
  const [area] = name.split(".");
  const text = before.get(name)?.replaceAll(name, "·");
  if (text === undefined || text.length < 12) return undefined;
  return [...fresh].find(
    (one) =>
      one.includes(".") === name.includes(".") &&
      (!name.includes(".") || one.split(".")[0] === area) &&
      after.get(one)?.replaceAll(one, "·") === text,
  );
}

/** Replaces renamed definitions in names and texts: `SessionId`, also within `IncomingSessionId`, `decodeX`, `checkX`. */
function renamer(renamings: readonly Renaming[]): (text: string) => string {
  const names = new Map(renamings.map(({ before, after }) => [before, after]));
  if (names.size === 0) return (text) => text;
  return (text) =>
    text.replaceAll(/[A-Za-z_]\w*/g, (word) => {
      const [, prefix = "", name = ""] = /^(Incoming|Known|isKnown|decode|check|Custom)?(\w*)$/.exec(word) ?? [];
      const now = names.get(word);
      if (now !== undefined) return now;
      const renamed = names.get(name);
      return renamed === undefined ? word : `${prefix}${renamed}`;
    });
}

/** Sorts the lines of a text. A decoder's checks are sorted by name, so a renaming changes their order, but not their meaning. */
function canonicalText(text: string): string {
  return text.split("\n").sort().join("\n");
}
