import { type SchemaDiff, type SourceDiff, schemaName } from "../diff-sources.js";
import { sharedLine } from "../report/markdown.js";
import { sentencesOf } from "../report/sentences.js";
import { type Bump, schemaPackageName, typesPackageName } from "./bumps.js";

export interface ChangesetWords {
  /** `@agentclientprotocol/sdk 2.5.0` */
  readonly now: string;
  readonly before: string | undefined;
}

/** Returns the changeset: the packages that change, and the report's sentences for their users. */
export function changesetText(diff: SourceDiff, bumps: ReadonlyMap<string, Bump>, words: ChangesetWords): string {
  const head = [...bumps].map(([name, bump]) => `"${name}": ${bump}`);
  const was = words.before === undefined ? "" : ` (was ${words.before})`;
  const parts = diff.schemas.filter(({ effect }) => effect !== "none").map((schema) => entryPoint(schema, diff));
  return `---\n${head.join("\n")}\n---\n\nAdopt the schema of ${words.now}${was}.\n\n${parts.join("\n\n")}\n`;
}

/** A changeset is read by users, so it names fewer places than the report. */
const mostPlaces = 12;
const mostLines = 10;

function entryPoint(schema: SchemaDiff, diff: SourceDiff): string {
  const own = schema.differences.filter(({ shared }) => shared !== true);
  const sentences = sentencesOf(own, mostPlaces).flatMap(({ effect, lines }) => [
    ...lines.slice(0, mostLines),
    ...(lines.length > mostLines ? [`${lines.length - mostLines} more ${effect} changes: see schema/REPORT.md`] : []),
  ]);
  const shared = sharedLine(schema, diff);
  const unread =
    schema.problems.length > 0
      ? ["The generator could not read this schema when it was kept: describe its changes"]
      : [];
  const lines = [...unread, ...sentences, ...(shared === "" ? [] : [shared])];
  const home = schema.stability === "stable" ? typesPackageName : schemaPackageName;
  return `\`${home}${entryPath(schema)}\` (${schemaName(schema)}):\n\n${lines.map((line) => `- ${line}.`).join("\n")}`;
}

function entryPath({ protocolVersion, stability }: SchemaDiff): string {
  return `${protocolVersion === 1 ? "" : `/v${protocolVersion}`}${stability === "stable" ? "" : "/unstable"}`;
}
