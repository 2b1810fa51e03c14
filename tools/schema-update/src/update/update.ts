import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { Manifest } from "@acp-kit/codegen/load";
import { outputDirectories } from "@acp-kit/codegen/output-paths";
import { diffSources, type SourceDiff, schemaName } from "../diff-sources.js";
import { formatManifest, nextManifest, readManifest, sameBytes, slotOf } from "../manifest.js";
import { modelOf, unreadableBecause } from "../model.js";
import { toMarkdown } from "../report/markdown.js";
import { readSchemaFile, type Source } from "../source/schema-file.js";
import { type Bump, bumpsFor } from "./bumps.js";
import { changesetText } from "./changeset.js";
import {
  type Decisions,
  DecisionsError,
  decisionSection,
  decisionsFor,
  isUndecided,
  noDecisions,
} from "./decisions.js";
import { undecidedWords, unfinishedReason } from "./finished.js";
import { workspacePackages } from "./packages.js";
import { takeSnapshot } from "./snapshot.js";
import { StepError, type UpdateSteps, workspaceSteps } from "./steps.js";

export interface UpdateOptions {
  /** The repository. */
  readonly root: string;
  /** The path of the report, relative to the root. Default: `schema/REPORT.md`. */
  readonly report?: string;
  /** Whether to compare and plan, but write nothing. */
  readonly dryRun?: boolean;
  /** Whether to keep the new schema if generation or type check fails, so that the code can be adapted by hand. */
  readonly keep?: boolean;
  /** Whether a person has made the decisions about this schema. */
  readonly decided?: boolean;
  readonly steps?: UpdateSteps;
}

/** The result of an update, real or planned. */
export interface UpdateResult {
  readonly status: "current" | "updated" | "planned";
  /** `@agentclientprotocol/sdk 2.4.0`; undefined when nothing was vendored yet. */
  readonly before: string | undefined;
  readonly after: string;
  readonly diff: SourceDiff;
  readonly bumps: ReadonlyMap<string, Bump>;
  readonly report: string;
  /** The decisions that a person must make before the schema is adopted. */
  readonly decisions: Decisions;
  readonly changeset: { readonly path: string; readonly text: string } | undefined;
  /** The written files. In a dry run, the files that would certainly be written. */
  readonly written: readonly string[];
  /** Set if the bytes are in the tree, but a later step failed or never ran. */
  readonly pending?: string | undefined;
  /** The message of the failed step, or the open decisions, if the tree was kept. */
  readonly unfinished: string | undefined;
}

/** The parts of the tree that an update may change. */
const guarded = ["schema", ...outputDirectories, ".changeset"];

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Adopts a source: writes the bytes, the manifest, the generated code, the report and the changeset. If a step fails,
 * nothing is changed.
 *
 * @throws {SourceError} when the source lacks a file.
 * @throws {DecisionsError} when the source needs decisions and neither `keep` nor `decided` is set, before anything is
 * written.
 * @throws {StepError} when generation or type check fails; the tree is then restored, byte for byte.
 */
export async function updateSchema(source: Source, options: UpdateOptions): Promise<UpdateResult> {
  const { root, report = "schema/REPORT.md", steps = workspaceSteps } = options;
  const previous = readManifest(root);
  const next = nextManifest(source, previous);
  const before = previous === undefined ? undefined : nameOf(previous);
  // The committed origin of the bytes never contains a local directory.
  const after =
    next.source !== previous?.source || source.files.length >= next.files.length
      ? nameOf(next)
      : source.version === undefined
        ? source.origin.replace(/^file:/, "")
        : source.label;
  const diff = diffSources(
    vendored(root, previous),
    source.files.length === 1 ? { ...source, label: after } : onlySlots(source, after),
  );
  const resumed = sameBytes(previous, next) && previous !== undefined ? previous : undefined;
  const decisions = resumed === undefined ? decisionsFor(root, diff, source, next) : noDecisions;
  const markdown = `${toMarkdown(diff)}${decisionSection(decisions)}${inferredSection(source)}`;
  const nothing = {
    before,
    after,
    diff,
    bumps: new Map(),
    report: markdown,
    decisions,
    changeset: undefined,
    written: [],
    unfinished: undefined,
  };
  const pending = resumed === undefined ? undefined : unfinishedReason(root, resumed);
  if (resumed !== undefined && pending === undefined) return { ...nothing, status: "current" };
  if (resumed !== undefined && options.dryRun === true) return { ...nothing, status: "planned", pending };

  const bumps = resumed === undefined ? bumpsFor(diff, workspacePackages(root)) : new Map<string, Bump>();
  const changeset =
    bumps.size === 0
      ? undefined
      : { path: `.changeset/${changesetName(after)}.md`, text: changesetText(diff, bumps, { now: after, before }) };
  const planned = { ...nothing, bumps, changeset };
  const open: Decisions = { ...decisions, pending: previous?.undecided === true };
  const undecided = isUndecided(open) && options.decided !== true;
  const finished = marked(resumed ?? next, undecided);
  // The report and the changeset of a kept schema were written when it was kept.
  const files =
    resumed === undefined
      ? plan(source, finished, report, markdown, changeset)
      : new Map([["schema/manifest.json", formatManifest(finished)]]);
  if (options.dryRun === true) return { ...planned, status: "planned", written: [...files.keys()] };
  if (undecided && options.keep !== true) throw new DecisionsError(open);

  const snapshot = takeSnapshot(root, [...guarded, ...outside(root, report)]);
  // Ctrl-C stops the running step, so that the step fails.
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  for (const signal of signals) process.on(signal, interrupt);
  const unfinished = undecided ? [`${undecidedWords}.`] : [];
  try {
    for (const [path, content] of files) {
      const target = isAbsolute(path) ? path : join(root, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
    }
    try {
      await steps.generate(root, interruption.signal);
      await steps.typecheck(root, interruption.signal);
    } catch (error) {
      if (!(error instanceof StepError) || interruption.signal.aborted) throw error;
      if (options.keep !== true) throw error;
      unfinished.push(error.message);
      writeFileSync(join(root, "schema/manifest.json"), formatManifest({ ...finished, unfinished: error.step }));
    }
  } catch (error) {
    snapshot.restore();
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
  return {
    ...planned,
    status: "updated",
    written: snapshot.changed(),
    unfinished: unfinished.length === 0 ? undefined : unfinished.join("\n"),
  };
}

/** Returns a manifest that records whether decisions are open. */
function marked(manifest: Manifest, undecided: boolean): Manifest {
  const { unfinished: _, undecided: __, ...rest } = manifest;
  return undecided ? { ...rest, undecided: true } : rest;
}

/** Lists the gates taken from the descriptions of new methods, because a person should confirm them. */
function inferredSection({ files }: Source): string {
  const lines = files.flatMap((file) => {
    if (unreadableBecause(file).length > 0) return [];
    return modelOf(file).inferred.map(({ side, method, gate }) => {
      const opened =
        typeof gate !== "string" && "capability" in gate
          ? `needs ${gate.capability.map((path) => `\`${path}\``).join(" or ")}`
          : "needs no capability, because the schema names none: calls are never rejected, and a handler is optional";
      return `- \`${method}\` (${schemaName(file)}, handled by the ${side}) ${opened}\n`;
    });
  });
  if (lines.length === 0) return "";
  const head = "\n## Inferred from descriptions\n\nConfirm each, or correct it in `tools/codegen/src/gates.ts`:\n\n";
  return `${head}${lines.join("")}`;
}

function vendored(root: string, manifest: Manifest | undefined): Source {
  const paths = (manifest?.files ?? []).map(({ path }) => path);
  return {
    label: manifest === undefined ? "(nothing)" : nameOf(manifest),
    origin: "schema",
    package: manifest?.package,
    version: manifest?.version,
    license: manifest?.license,
    files: paths.map((path) => readSchemaFile(path, readFileSync(join(root, "schema", path)), paths)),
  };
}

function onlySlots(source: Source, label: string): Source {
  return { ...source, label, files: source.files.filter((file) => slotOf(file) !== undefined) };
}

function plan(
  source: Source,
  manifest: Manifest,
  report: string,
  markdown: string,
  changeset: UpdateResult["changeset"],
): ReadonlyMap<string, Uint8Array | string> {
  const files = new Map<string, Uint8Array | string>();
  for (const file of source.files) {
    const slot = slotOf(file);
    if (slot !== undefined) files.set(`schema/${slot}`, file.bytes);
  }
  files.set("schema/manifest.json", formatManifest(manifest));
  files.set(report, markdown);
  if (changeset !== undefined) files.set(changeset.path, changeset.text);
  return files;
}

/** Returns the report's path, if it is outside the guarded directories but inside the repository. */
function outside(root: string, report: string): readonly string[] {
  const path = isAbsolute(report) ? relative(root, report).replaceAll("\\", "/") : report;
  return guarded.some((directory) => path.startsWith(`${directory}/`)) || path.startsWith("..") ? [] : [path];
}

function nameOf({ package: name, version }: Pick<Manifest, "package" | "version">): string {
  return version === "unversioned" ? name : `${name} ${version}`;
}

function changesetName(label: string): string {
  return `adopt-schema-${label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")}`;
}
