import type { ApiDiff } from "../api-diff.js";
import type { Change, ChangeClass } from "../classify/change.js";
import type { MethodNews } from "../compare/compare-methods.js";
import type { DecoderChange } from "../compare/comparison.js";
import type { SchemaDiff, SourceDiff } from "../diff-sources.js";
import { apiBeyond, apiLines } from "../report/api-lines.js";
import { beyond, groupChanges, groupMethods, nameList, sentence } from "../report/group.js";
import { schemaName } from "../report/markdown.js";
import { type Bump, schemaPackageName, typesPackageName } from "./bumps.js";

export interface ChangesetWords {
  /** `@agentclientprotocol/sdk 2.5.0` */
  readonly now: string;
  readonly before: string | undefined;
}

/** Returns the changeset: the packages that change, and the effects that users of these packages notice. */
export function changesetText(diff: SourceDiff, bumps: ReadonlyMap<string, Bump>, words: ChangesetWords): string {
  const head = [...bumps].map(([name, bump]) => `"${name}": ${bump}`);
  const was = words.before === undefined ? "" : ` (was ${words.before})`;
  const parts = diff.schemas
    .filter((schema) => schema.class !== "none")
    .map((schema) => schemaWords(schema, diff.schemas));
  const compared = diff.schemas.every(({ api }) => api.estimated === undefined);
  const same = compared ? "types and decoders are the same" : "no message changes";
  const body = parts.length > 0 ? parts : [`The code was generated again; ${same}.`];
  return `---\n${head.join("\n")}\n---\n\nAdopt the schema of ${words.now}${was}.\n\n${body.join("\n\n")}\n`;
}

const decoderEffects: readonly (readonly [DecoderChange, string])[] = [
  ["stricter", "Malformed values that were repaired before are rejected"],
  ["tolerant", "Malformed or null values that were rejected before are accepted"],
  ["different", "Values are decoded differently"],
];

/** Returns the entry point, and the effects that its users notice. */
function schemaWords(schema: SchemaDiff, all: readonly SchemaDiff[]): string {
  const { methods, changes, stable } = beyond(schema, all);
  const of = (wanted: ChangeClass): readonly Change[] => changes.filter((one) => one.class === wanted);
  const lines = groupMethods(methods.filter((one) => one.class === "breaking")).map(
    ({ names, first }) => `${sentence(names, first.says, 10)}.`,
  );
  const breaking = groupChanges(of("breaking"));
  for (const { paths, first } of breaking.slice(0, 10)) lines.push(`${sentence(paths, first.says, 10)}.`);
  if (breaking.length > 10) lines.push("More breaks: see schema/REPORT.md.");
  const added = methods.filter((one) => one.change === "added").map(({ name }) => name);
  if (added.length > 0) lines.push(`New ${added.length === 1 ? "method" : "methods"}: ${nameList(added, 12)}.`);
  const additive = of("additive").map(({ path }) => path);
  if (additive.length > 0) lines.push(`New or less strict: ${nameList(additive, 12)}.`);
  for (const [wanted, effect] of decoderEffects) {
    const paths = of("decoder behaviour").flatMap(({ kind, path }) => (kind === wanted ? [path] : []));
    if (paths.length > 0) lines.push(`${effect} at ${nameList(paths, 12)}.`);
  }
  lines.push(...apiLines(withoutMethods(apiBeyond(schema, all), methods), 12).map((line) => `${line}.`));
  if (stable !== undefined && changes.length < schema.changes.length)
    lines.push(`All changes of ${schemaName(stable)} apply here too.`);
  if (lines.length === 0) lines.push("Only documentation and annotations change.");
  const home = schema.stability === "stable" ? typesPackageName : schemaPackageName;
  return `\`${home}${entryPath(schema)}\` (${schemaName(schema)}):\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
}

/** Returns the additions without the types of new methods, because the changeset already mentions the methods. */
function withoutMethods(api: ApiDiff, methods: readonly MethodNews[]): ApiDiff {
  const own = new Set(methods.filter(({ change }) => change !== "changed").flatMap(({ definitions }) => definitions));
  const rest = (names: readonly string[]): string[] =>
    names.filter((name) => !own.has(name.replace(/^(Incoming|Known|isKnown|decode)/, "")));
  return { ...api, added: rest(api.added), removed: rest(api.removed) };
}

function entryPath({ protocolVersion, stability }: SchemaDiff): string {
  return `${protocolVersion === 1 ? "" : `/v${protocolVersion}`}${stability === "stable" ? "" : "/unstable"}`;
}
