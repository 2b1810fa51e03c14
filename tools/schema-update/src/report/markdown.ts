import { type SchemaDiff, type SourceDiff, schemaName } from "../diff-sources.js";
import { conjunction, type Effect, effects } from "../difference.js";
import { nameList, sentencesOf } from "./sentences.js";

/** Writes the report: the verdict, then every difference, the most severe first. */
export function toMarkdown(diff: SourceDiff): string {
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
  for (const schema of diff.schemas) if (schema.effect !== "none") lines.push(...section(schema, diff), "");
  return `${lines.join("\n").trimEnd()}\n`;
}

/** Returns one line that is complete without context: "Breaking in v2 and v2 unstable; v1: additive". */
export function headline(diff: SourceDiff): string {
  if (diff.schemas.length === 0) return "**Nothing to compare**: the sources have no protocol version in common.";
  const byEffect = effects
    .map((effect) => ({ effect, schemas: diff.schemas.filter((one) => one.effect === effect).map(schemaName) }))
    .filter(({ schemas }) => schemas.length > 0);
  const [worst, ...milder] = byEffect;
  if (worst === undefined || worst.effect === "none") return "**No change.**";
  const rest = milder.map(
    ({ effect, schemas }) => `; ${conjunction(schemas)}: ${effect === "none" ? "no change" : label(effect)}`,
  );
  return `**${capital(label(worst.effect))}** in ${conjunction(worst.schemas)}${rest.join("")}.`;
}

/** Returns the line about differences that an unstable schema shares with the stable one; empty without any. */
export function sharedLine(schema: SchemaDiff, diff: SourceDiff): string {
  const count = schema.differences.filter(({ shared }) => shared === true).length;
  const stable = diff.schemas.find(
    (one) => one.stability === "stable" && one.protocolVersion === schema.protocolVersion,
  );
  if (count === 0 || stable === undefined) return "";
  return count === 1
    ? `One change of ${schemaName(stable)} applies here, too`
    : `${count} changes of ${schemaName(stable)} apply here, too`;
}

function table(diff: SourceDiff): readonly string[] {
  if (diff.schemas.length === 0) return [];
  const shown = effects.filter((effect) => effect !== "none" && effect !== "api");
  return [
    `| schema | verdict | ${shown.join(" | ")} | exports | methods | definitions |`,
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...diff.schemas.map((schema) => {
      const { before, after } = schema.counts;
      const exports = schema.differences.filter(({ code }) => code.startsWith("export-"));
      const others = schema.differences.filter((one) => !exports.includes(one));
      const counts = shown.map((effect) => others.filter((one) => one.effect === effect).length);
      const sizes = [`${before.methods} → ${after.methods}`, `${before.definitions} → ${after.definitions}`];
      return `| ${[schemaName(schema), `**${label(schema.effect)}**`, ...counts, exports.length, ...sizes].join(" | ")} |`;
    }),
    "",
  ];
}

function section(schema: SchemaDiff, diff: SourceDiff): readonly string[] {
  const lines = [`## ${schemaName(schema)}: ${label(schema.effect)}`, ""];
  if (schema.problems.length > 0)
    lines.push(
      "The generator can't generate code from this file:",
      "",
      ...schema.problems.map((one) => `- ${one}`),
      "",
    );
  const breaking = schema.differences.filter(({ effect }) => effect === "breaking");
  for (const party of ["agent", "client", "proxy", "conductor"]) {
    const felt = breaking.filter(({ affects }) => affects.includes(party)).map(({ path }) => path);
    const sides = party === "proxy" ? "proxies" : `${party}s`;
    if (felt.length > 0) lines.push(`- **Breaks ${sides}** (${felt.length}): ${nameList(felt, 3)}`);
  }
  if (schema.stabilised.length > 0)
    lines.push(`- Stable now, previously unstable: ${nameList(schema.stabilised, Number.POSITIVE_INFINITY)}`);
  const shared = sharedLine(schema, diff);
  if (shared !== "") lines.push(`- ${shared}.`);
  const own = schema.differences.filter((one) => one.shared !== true);
  for (const { effect, lines: sentences } of sentencesOf(own, 40))
    lines.push(
      ...(lines.at(-1) === "" ? [] : [""]),
      `### ${capital(label(effect))}`,
      "",
      ...sentences.map((line) => `- ${line}`),
    );
  return lines;
}

function label(effect: Effect): string {
  return effect === "api" ? "API" : effect;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
