import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Decision } from "@acp-kit/codegen/decisions";
import { gateTableUrl } from "@acp-kit/codegen/gate-lines";
import { decisionsAbout } from "@acp-kit/codegen/understand";
import type { Change } from "../classify/change.js";
import type { MethodNews } from "../compare/compare-methods.js";
import type { SchemaDiff, SourceDiff } from "../diff-sources.js";
import { type Manifest, slotOf } from "../manifest.js";
import { nameList } from "../report/group.js";
import type { Source } from "../source/schema-file.js";
import { changeQuestion, exportQuestion, methodQuestion } from "./questions.js";
import { asWritten, findUses, type Use } from "./uses.js";

/** One breaking change of stable v1, and the decision that it requires. */
export interface BreakingDecision {
  /** The breaking change, in a sentence. */
  readonly what: string;
  /** The question to answer before the schema is adopted. */
  readonly question: string;
  /** Places in hand-written code that the answer may change, one string for each file: `packages/agent/src/x.ts:12,34`. */
  readonly places: readonly string[];
}

/** A decision, with the names that its subject has in sources. */
interface Draft extends Omit<BreakingDecision, "places"> {
  /** Names that only this subject has: a method in quotes, a definition, an export. */
  readonly names: readonly string[];
  /** The name of a member or value. It is searched only in files that mention one of `names`. */
  readonly detail?: string | undefined;
}

/**
 * Returns the breaking changes of stable v1, in messages and in exports. The other schemas may break in a minor release, so their breaking
 * changes are only reported.
 */
export function breakingDecisions(root: string, diff: SourceDiff): readonly BreakingDecision[] {
  const drafts = diff.schemas
    .filter(({ protocolVersion, stability }) => protocolVersion === 1 && stability === "stable")
    .flatMap(draftsOf);
  if (drafts.length === 0) return [];
  const words = drafts.flatMap(({ names, detail }) => [...names, ...(detail === undefined ? [] : memberWords(detail))]);
  // Code for version 2 uses the same names with another meaning.
  const uses = findUses(root, new Map(words.map((word) => [word, undefined]))).filter(
    ({ file }) => !file.includes("/v2/"),
  );
  return drafts.map(({ what, question, names, detail }) => ({ what, question, places: placesOf(uses, names, detail) }));
}

/** Returns the decisions that the generator would require for the new files. */
export function generatorDecisions(root: string, source: Source, manifest: Manifest): readonly Decision[] {
  const brought = new Map(source.files.map((file) => [slotOf(file), file.bytes]));
  const files = manifest.files.map(
    ({ path }) => [path, brought.get(path) ?? readFileSync(join(root, "schema", path))] as const,
  );
  return decisionsAbout(new Map(files), manifest, readFileSync(gateTableUrl, "utf8"));
}

function draftsOf({ methods, changes, api }: SchemaDiff): readonly Draft[] {
  const broken = <T extends { readonly class: string }>(list: readonly T[]): readonly T[] =>
    list.filter((one) => one.class === "breaking");
  const goneMethods = methods.filter(({ change }) => change === "removed");
  // The exports of a removed method are removed with it. The unions that contained them are reported through their members.
  const removedNames = new Set(goneMethods.flatMap(({ name, definitions }) => [name, ...definitions]));
  const isTold = (name: string): boolean =>
    [...removedNames].some((one) => name === one || name.replace(/^(Incoming|Known|isKnown|decode)/, "") === one);
  const removed = api.removed.filter((name) => !isTold(name));
  return [
    ...broken(methods).map(methodDraft),
    ...broken(changes).map(changeDraft),
    ...api.renamed.map(({ before, after }) => ({
      what: `the export \`${before}\` was renamed to \`${after}\``,
      question: exportQuestion,
      names: [asWritten(before)],
    })),
    ...(removed.length === 0
      ? []
      : [
          {
            what: `these exports were removed: ${nameList(removed, 20)}`,
            question: exportQuestion,
            names: removed.map(asWritten),
          },
        ]),
  ];
}

function methodDraft(news: MethodNews): Draft {
  return {
    what: `\`${news.name}\` ${news.says}`,
    question: methodQuestion(news),
    names: [`"${news.name}"`, ...news.definitions],
  };
}

function changeDraft(change: Change): Draft {
  const { path, says, definition, methods } = change;
  // `.content[].text` → `text`; `SessionUpdate(plan)` → `"plan"`
  const [, member, value] = /(?:\.(\w+)|\(([^()]+)\))(?:\[\]|\{\})*$/.exec(path) ?? [];
  return {
    what: `\`${path}\` ${says}`,
    question: changeQuestion(change),
    names: [definition, ...methods.map((name) => `"${name}"`)],
    detail: member ?? (value === undefined ? undefined : `"${value}"`),
  };
}

function memberWords(detail: string): readonly string[] {
  return detail.startsWith('"') ? [detail] : [detail, `.${detail}`];
}

function placesOf(uses: readonly Use[], names: readonly string[], detail: string | undefined): readonly string[] {
  const named = uses.filter(({ name }) => names.includes(name));
  const files = new Set(named.map(({ file }) => file));
  const exact =
    detail === undefined ? [] : uses.filter(({ file, name }) => files.has(file) && memberWords(detail).includes(name));
  const lines = new Map<string, Set<number>>();
  for (const { file, line } of exact.length > 0 ? exact : named)
    lines.set(file, (lines.get(file) ?? new Set()).add(line));
  return [...lines].sort(([a], [b]) => rank(a) - rank(b)).map(([file, own]) => `${file}:${[...own].join(",")}`);
}

/** Sorts code of the packages first, and tests last. */
function rank(file: string): number {
  if (file.includes(".test") || file.startsWith("tests/")) return 2;
  return file.startsWith("packages/") ? 0 : 1;
}
