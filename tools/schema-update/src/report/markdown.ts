import { type Change, type ChangeClass, changeClasses } from "../classify/change.js";
import type { DefinitionEntry } from "../classify/definition-news.js";
import { conjunction } from "../compare/describe.js";
import type { SchemaDiff, SourceDiff } from "../diff-sources.js";
import { apiBeyond, apiLines } from "./api-lines.js";
import { beyond, type ChangeGroup, groupChanges, groupMethods, type MethodGroup, nameList, sentence } from "./group.js";
import { verdictLines } from "./verdict.js";

/** Writes the report: the verdict, then every relevant change, the most severe first. */
export function toMarkdown(diff: SourceDiff): string {
  const changed = diff.schemas.filter((one) => one.class !== "none");
  const lines = [`# Schema: ${diff.before} → ${diff.after}`, "", headline(diff), "", ...table(diff)];
  for (const { paths } of diff.schemas.filter((one) => one.across)) {
    lines.push(
      `- \`${paths.before}\` is compared with \`${paths.after}\`, because no file has the same protocol version and stability.`,
      "",
    );
  }
  for (const lone of diff.lone) {
    lines.push(
      `- ${schemaName(lone)} exists only in ${lone.in === "before" ? diff.before : diff.after} (\`${lone.path}\`), so it is not compared.`,
    );
  }
  if (diff.lone.length > 0) lines.push("");
  for (const schema of changed) lines.push(...section(schema, diff.schemas), "");
  return `${lines.join("\n").trimEnd()}\n`;
}

/** Returns one line that is complete without context: "breaking in v2 and v2 unstable; v1: additive". */
export function headline(diff: SourceDiff): string {
  if (diff.schemas.length === 0) return "**Nothing to compare**: the sources have no protocol version in common.";
  const byClass = changeClasses
    .map((wanted) => ({ wanted, schemas: diff.schemas.filter((one) => one.class === wanted).map(schemaName) }))
    .filter(({ schemas }) => schemas.length > 0);
  const [worst, ...milder] = byClass;
  if (worst === undefined || worst.wanted === "none") return "**No change.**";
  const rest = milder.map(
    ({ wanted, schemas }) => `${conjunction(schemas)}: ${wanted === "none" ? "no change" : label(wanted)}`,
  );
  return `**${capital(label(worst.wanted))}** in ${conjunction(worst.schemas)}${rest.length > 0 ? `; ${rest.join("; ")}` : ""}.`;
}

/** `v1`, `v2 unstable` */
export function schemaName({ protocolVersion, stability }: Pick<SchemaDiff, "protocolVersion" | "stability">): string {
  return `v${protocolVersion}${stability === "stable" ? "" : " unstable"}`;
}

function table(diff: SourceDiff): readonly string[] {
  if (diff.schemas.length === 0) return [];
  const count = (schema: SchemaDiff, wanted: Change["class"]): number =>
    wanted === "api"
      ? schema.api.renamed.length + schema.api.removed.length
      : schema.changes.filter((one) => one.class === wanted).length +
        schema.methods.filter((one) => one.class === wanted).length;
  return [
    "| schema | verdict | breaking | API | additive | decoder behaviour | annotation | documentation | methods | definitions |",
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...diff.schemas.map((schema) => {
      const counts = changeClasses.slice(0, -1).map((wanted) => String(count(schema, wanted)));
      const { before, after } = schema.counts;
      const sizes = [`${before.methods} → ${after.methods}`, `${before.definitions} → ${after.definitions}`];
      return `| ${[schemaName(schema), `**${label(schema.class)}**`, ...counts, ...sizes].join(" | ")} |`;
    }),
    "",
  ];
}

function section(schema: SchemaDiff, all: readonly SchemaDiff[]): readonly string[] {
  const lines = [
    `## ${schemaName(schema)}: ${label(schema.class)}`,
    "",
    ...verdictLines(schema, all).map((line) => `- ${line}`),
  ];
  for (const { keyword, definitions } of schema.unknownKeywords) {
    lines.push(
      `- **Unknown keyword \`${keyword}\`** in ${nameList(definitions, 5)}: find out what the keyword means; the generator refuses it.`,
    );
  }
  const { methods, changes, stable } = beyond(schema, all);
  for (const wanted of changeClasses.slice(0, 5)) {
    const own = methods.filter((one) => one.class === wanted);
    const rest = changes.filter((one) => one.class === wanted);
    if (own.length + rest.length === 0) continue;
    const most = wanted === "breaking" || wanted === "additive" ? 40 : 12;
    lines.push(
      "",
      `### ${capital(wanted)}`,
      "",
      ...groupMethods(own).map(methodLine),
      ...groupChanges(rest).map((group) => changeLine(group, most)),
    );
  }
  const matters = ({ class: verdict }: { class: ChangeClass }): boolean =>
    verdict !== "documentation" && verdict !== "none";
  const repeated =
    schema.methods.length - methods.length + schema.changes.filter(matters).length - changes.filter(matters).length;
  if (repeated > 0 && stable !== undefined) {
    const others =
      repeated === 1
        ? "One more change of this schema is the same as"
        : `The other ${repeated} changes of this schema are the same as`;
    lines.push("", `${others} in ${schemaName(stable)} above.`);
  }
  return [...lines, ...exportLines(schema, all), ...definitionLines(schema)];
}

function exportLines(schema: SchemaDiff, all: readonly SchemaDiff[]): readonly string[] {
  const api = apiBeyond(schema, all);
  const lines = apiLines(api, 40).map((line) => `- ${line}`);
  if (lines.length === 0) return [];
  const estimate =
    api.estimated === undefined
      ? []
      : ["- These names are estimated from definitions and titles, because the generator can't read one of the files."];
  return ["", "### Exports", "", ...lines, ...estimate];
}

function methodLine({ names, first: { kind, side, says } }: MethodGroup): string {
  const whom = side === "protocol" || side === "both" ? "either side" : `the ${side}`;
  return `- ${sentence(names, says, 40)} (${kind}${names.length > 1 ? "s" : ""} to ${whom})`;
}

function changeLine({ paths, first }: ChangeGroup, most: number): string {
  const note = first.note === undefined ? "" : ` — ${first.note}`;
  const direction = first.directions.length > 0 ? ` (${first.directions.join(", ")})` : "";
  return `- ${sentence(paths, first.says, most)}${note}${direction}`;
}

function definitionLines({ definitions, changes }: SchemaDiff): readonly string[] {
  const lines: string[] = [];
  const list = (title: string, entries: readonly DefinitionEntry[]): void => {
    if (entries.length > 0)
      lines.push(
        `- ${title}: ${nameList(
          entries.map((entry) => entry.name),
          40,
        )}`,
      );
  };
  const neutral = (entry: DefinitionEntry): boolean => entry.class === "none";
  list(
    "added",
    definitions.added.filter((entry) => !neutral(entry)),
  );
  list("added without effect (written inline before, or reached by no method)", definitions.added.filter(neutral));
  list(
    "removed",
    definitions.removed.filter((entry) => !neutral(entry)),
  );
  list("removed without effect (written inline now, or reached by no method)", definitions.removed.filter(neutral));
  if (definitions.renamed.length > 0) {
    lines.push(
      `- renamed: ${definitions.renamed.map(({ before, after }) => `\`${before}\` → \`${after}\``).join(", ")}`,
    );
  }
  const reworded = changes.filter((one) => one.class === "documentation");
  const links = reworded.filter(({ kind }) => kind === "links").length;
  if (reworded.length > 0) {
    const words = reworded.filter(({ kind }) => kind !== "links");
    // The text of `_meta` is the same everywhere, so a definition whose only change is this text is not listed.
    const metaOnly = words.filter(({ kind }) => kind === "meta-description");
    const telling = words.filter((one) => !metaOnly.includes(one)).map(({ path }) => path);
    const parts = [
      telling.length > 0 ? `changed text: ${telling.length} (${nameList(telling, 12)})` : "",
      metaOnly.length > 0 ? `only the text of \`_meta\`: ${metaOnly.length}` : "",
      links > 0 ? `only the links: ${links}` : "",
    ];
    lines.push(`- changed descriptions: ${parts.filter((part) => part !== "").join("; ")}`);
  }
  return lines.length > 0 ? ["", "### Definitions", "", ...lines] : [];
}

/** Returns the name of a class for reports. */
function label(verdict: ChangeClass): string {
  return verdict === "api" ? "API" : verdict;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
