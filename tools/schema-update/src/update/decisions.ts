import { readFileSync } from "node:fs";
import { decisionLine, type Decision as GeneratorDecision } from "@acp-kit/codegen/decisions";
import { gateTableUrl } from "@acp-kit/codegen/gate-lines";
import type { Manifest } from "@acp-kit/codegen/load";
import { decisionsAbout } from "@acp-kit/codegen/understand";
import { type SchemaDiff, type SourceDiff, schemaName } from "../diff-sources.js";
import type { Code, Difference } from "../difference.js";
import { slotOf } from "../manifest.js";
import { nameList } from "../report/sentences.js";
import type { Source } from "../source/schema-file.js";
import { findPlaces, type Target } from "./places.js";

/** One question that a person answers before a schema is adopted. */
export interface Decision {
  /** The difference, in a sentence. */
  readonly what: string;
  readonly question: string;
  /** Places in hand-written code that the answer may change, one string a file: `packages/agent/src/x.ts:12,34`. */
  readonly places: readonly string[];
}

/** All decisions that a person must make before a schema is adopted. */
export interface Decisions {
  readonly code: readonly Decision[];
  /** The decisions that the generator requires. */
  readonly generator: readonly GeneratorDecision[];
  /** Whether the decisions about an earlier schema that was kept have not been made. */
  readonly pending: boolean;
}

export const noDecisions: Decisions = { code: [], generator: [], pending: false };

export function isUndecided({ code, generator, pending }: Decisions): boolean {
  return code.length + generator.length > 0 || pending;
}

/**
 * Returns the decisions about a new schema. Stable v1 is promised, so every break of it needs one. The other schemas
 * may break in a minor release, so only the breaks that hand-written code uses need one. A new variant or value needs
 * one if code decides about all others.
 */
export function decisionsFor(root: string, diff: SourceDiff, source: Source, next: Manifest): Decisions {
  const drafts = diff.schemas.flatMap(draftsOf);
  const places =
    drafts.length === 0
      ? []
      : findPlaces(
          root,
          drafts.map(({ target }) => target),
        );
  const code = drafts.flatMap(({ what, question, isPromised }, index): Decision[] => {
    const own = places[index] ?? [];
    return isPromised || own.length > 0 ? [{ what, question, places: own }] : [];
  });
  return { code, generator: generatorDecisions(diff, source, next), pending: false };
}

interface Draft extends Omit<Decision, "places"> {
  readonly target: Target;
  /** Whether the decision is necessary even if no code is found. */
  readonly isPromised: boolean;
}

/** What code that uses the old schema can no longer use, so that its type check fails. */
const gone: readonly Code[] = ["method-removed", "tag-renamed", "variant-removed", "member-removed", "value-removed"];

function draftsOf(schema: SchemaDiff): readonly Draft[] {
  const id = schemaName(schema).replace(" ", "-");
  const isPromised = id === "v1";
  const own = schema.differences.filter(({ shared }) => shared !== true);
  const breaks = own.filter(({ effect, code }) => effect === "breaking" && (isPromised || gone.includes(code)));
  const renamed = own.filter(({ code }) => code === "export-renamed");
  // The exports of a removed method are removed with it.
  const withMethods = new Set(own.flatMap(({ code, names }) => (code === "method-removed" ? names : [])));
  const removed = own
    .filter(
      ({ code, path }) =>
        code === "export-removed" && !withMethods.has(path.replace(/^(Incoming|Known|isKnown|decode)/, "")),
    )
    .map(({ path }) => path);
  const prefix = isPromised ? "" : `${schemaName(schema)}: `;
  return [
    ...breaks.map((one) => ({
      ...{
        what: `${prefix}\`${one.path}\` ${one.says}`,
        question: questionAbout(one),
        isPromised,
        target: targetOf(id, one),
      },
    })),
    ...renamed.map(({ path, says }) => ({
      ...{ what: `${prefix}the export \`${path}\` ${says}`, question: exportQuestion, isPromised },
      target: { schema: id, exports: [path] },
    })),
    ...(removed.length === 0
      ? []
      : [
          {
            ...{
              what: `${prefix}these exports were removed: ${nameList(removed, 20)}`,
              question: exportQuestion,
              isPromised,
            },
            target: { schema: id, exports: removed },
          },
        ]),
    ...missing(own.filter(({ effect }) => effect !== "breaking" || !isPromised)).map((group) => ({
      what: `${prefix}${nameList(
        group.map(({ path }) => path),
        20,
      )}${group.length > 1 ? ": each" : ""} ${group[0]?.says ?? ""}`,
      ...{ question: missingQuestion, isPromised: false },
      target: { schema: id, missing: missingFrom(group) },
    })),
  ];
}

/** Groups new variants of the same union, and new values of the same enum. */
function missing(own: readonly Difference[]): readonly (readonly Difference[])[] {
  const groups = new Map<string, Difference[]>();
  for (const one of own) {
    if (one.among === undefined || !one.code.endsWith("-added")) continue;
    const key = [one.code, ...one.directions, ...one.among.others].join(" ");
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

function missingFrom(group: readonly Difference[]): Target["missing"] {
  return {
    names: group.flatMap(({ among }) => (among === undefined ? [] : [among.name])),
    others: group[0]?.among?.others ?? [],
  };
}

function targetOf(schema: string, { code, path, names, among, methods }: Difference): Target {
  if (code.startsWith("method-")) return { schema, method: path, exports: names };
  // `.content[].text` → `text`
  const [, member] = /\.(\w+)(?:\[\]|\{\})*$/.exec(path) ?? [];
  const [owner = ""] = names;
  if (member !== undefined) return { schema, member: { owner, name: member } };
  if (code.endsWith("-added") && among !== undefined)
    return { schema, missing: { names: [among.name], others: among.others } };
  return among === undefined
    ? { schema, exports: names, method: methods.length === 1 ? methods[0] : undefined }
    : { schema, value: among };
}

const exportQuestion = "Do the packages keep the old name as a deprecated alias, or must every import be changed?";
const missingQuestion = "This code decides about all others. What does it do with the new ones?";

/** The question about a breaking difference: the values that the packages send, and the messages that they accept. */
function questionAbout({ code }: Difference): string {
  switch (code) {
    case "method-removed":
      return "Do the packages still send and handle the method for peers with the old schema, or do they remove it from their interfaces?";
    case "method-changed":
      return "How do the packages treat a peer with the old schema?";
    case "member-added":
    case "member-required":
      return "What do the packages send as this member, and does the decoder still accept messages of old peers, which omit it?";
    case "member-optional":
      return "What do readers do when the member is missing?";
    case "member-removed":
      return "What replaces the member for readers, and do the packages still send it to old peers?";
    case "variant-added":
    case "value-added":
    case "type-added":
    case "null-added":
    case "opened":
      return "What do the packages do with the new values, and when may they be sent to old peers, which reject them?";
    case "variant-removed":
    case "value-removed":
    case "type-removed":
    case "null-removed":
    case "closed":
      return "What do the packages send instead, and does the decoder still accept the old values of old peers?";
    case "bounds":
    case "exclusive":
      return "What prevents the packages from sending values out of the new bounds, and does the decoder still accept them from old peers?";
    default:
      return "What do the packages send to old peers, and does the decoder still accept the messages of old peers?";
  }
}

/** Returns the decisions that the generator would require for the new files. */
function generatorDecisions(diff: SourceDiff, source: Source, manifest: Manifest): readonly GeneratorDecision[] {
  const files = source.files.flatMap((file) => {
    const slot = slotOf(file);
    return slot === undefined ? [] : [[slot, file.bytes] as const];
  });
  const found = decisionsAbout(new Map(files), manifest, readFileSync(gateTableUrl, "utf8"));
  if (found.length > 0) return found;
  return diff.schemas.flatMap((schema) =>
    schema.problems.map((what) => ({ file: "tools/codegen/src", what: `${schemaName(schema)}: ${what}` })),
  );
}

/** The maximum number of files to list. The type check finds the others. */
const mostPlaces = 15;

/** Lists the decisions, as text that is also Markdown. */
export function decisionLines({ code, generator, pending }: Decisions): string {
  const items = code.map(({ what, question, places }, index) => {
    const shown = places.slice(0, mostPlaces).map((place) => `   - ${place}`);
    const rest = places.length > mostPlaces ? [`   - … and ${places.length - mostPlaces} more files`] : [];
    const found = places.length === 0 ? ["   - no hand-written code uses it"] : [...shown, ...rest];
    return [`${index + 1}. ${what}.`, `   ${question}`, ...found].join("\n");
  });
  const required = generator.map((one) => `- ${decisionLine(one)}`);
  return [
    ...(items.length === 0 ? [] : [items.join("\n")]),
    ...(generator.length === 0 ? [] : [["The generator requires these decisions:", "", ...required].join("\n")]),
    ...(pending
      ? ["The schema in the tree was kept before its decisions were made. The report of that run lists them."]
      : []),
  ].join("\n\n");
}

/** Returns the section of the report; empty if there is nothing to decide. */
export function decisionSection(decisions: Decisions): string {
  const lines = decisionLines(decisions);
  if (lines === "") return "";
  return `\n## Decisions\n\nAnswer each question and change the code, then adopt the schema with \`--decided\`.\n\n${lines}\n`;
}

/** The error for a new schema whose decisions have not been made. Nothing was written. */
export class DecisionsError extends Error {
  override readonly name = "DecisionsError";
  readonly decisions: Decisions;

  constructor(decisions: Decisions) {
    super(`The new schema needs decisions.\n\n${decisionLines(decisions)}`);
    this.decisions = decisions;
  }
}
