import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { DiffOptions } from "../diff.js";
import { diffSources, type SourceDiff } from "../diff-sources.js";
import { formatManifest, type Manifest, nextManifest, readManifest, sameBytes, slotOf } from "../manifest.js";
import { toMarkdown } from "../report/markdown.js";
import { readSchemaFile, type Source } from "../source/schema-file.js";
import { type Bump, bumpsFor } from "./bumps.js";
import { changesetText } from "./changeset.js";
import { workspacePackages } from "./packages.js";
import { takeSnapshot } from "./snapshot.js";
import { StepError, type UpdateSteps, workspaceSteps } from "./steps.js";

export interface UpdateOptions extends DiffOptions {
  /** The repository. */
  readonly root: string;
  /** Where the report goes, relative to the root. Default: `schema/REPORT.md`. */
  readonly report?: string;
  /** Compare and plan, write nothing. */
  readonly dryRun?: boolean;
  /** Leave the new schema in place when generation or type-check fail, so that the rest can be adopted by hand. */
  readonly keep?: boolean;
  readonly steps?: UpdateSteps;
}

/** What an update did, or would do. */
export interface UpdateResult {
  readonly status: "current" | "updated" | "planned";
  /** `@agentclientprotocol/sdk 2.4.0`; undefined when nothing was vendored yet. */
  readonly before: string | undefined;
  readonly after: string;
  readonly diff: SourceDiff;
  readonly bumps: ReadonlyMap<string, Bump>;
  readonly report: string;
  readonly changeset: { readonly path: string; readonly text: string } | undefined;
  /** Files written, or (planned) the ones that are certain to be. */
  readonly written: readonly string[];
  /** What the failed step said, where the tree was kept all the same. */
  readonly unfinished: string | undefined;
}

/** The parts of the tree that an update may touch. */
const guarded = ["schema", "packages/schema/src/gen", "packages/types/src/gen", ".changeset"];

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Adopts a source: bytes, manifest, generated code, report and changeset, all or nothing.
 *
 * @throws {SourceError} when the source lacks a file.
 * @throws {StepError} when generation or type-check fail; the tree is then what it was, byte for byte.
 */
export async function updateSchema(source: Source, options: UpdateOptions): Promise<UpdateResult> {
  const { root, report = "schema/REPORT.md", steps = workspaceSteps } = options;
  const previous = readManifest(root);
  const next = nextManifest(source, previous);
  const before = previous === undefined ? undefined : nameOf(previous);
  const after = next.source === previous?.source && source.files.length === 1 ? source.label : nameOf(next);
  const diff = diffSources(
    vendored(root, previous),
    source.files.length === 1 ? { ...source, label: after } : onlySlots(source, after),
    options,
  );
  const markdown = toMarkdown(diff);
  const nothing = {
    before,
    after,
    diff,
    bumps: new Map(),
    report: markdown,
    changeset: undefined,
    written: [],
    unfinished: undefined,
  };
  if (sameBytes(previous, next)) return { ...nothing, status: "current" };

  const bumps = bumpsFor(diff, workspacePackages(root));
  const changeset =
    bumps.size === 0
      ? undefined
      : { path: `.changeset/${changesetName(after)}.md`, text: changesetText(diff, bumps, { now: after, before }) };
  const planned = { ...nothing, bumps, changeset };
  const files = plan(source, next, report, markdown, changeset);
  if (options.dryRun === true) return { ...planned, status: "planned", written: [...files.keys()] };

  const snapshot = takeSnapshot(root, [...guarded, ...outside(root, report)]);
  // Ctrl-C stops the running step, which is then a failure like any other.
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  for (const signal of signals) process.on(signal, interrupt);
  let unfinished: string | undefined;
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
      if (options.keep !== true || !(error instanceof StepError) || interruption.signal.aborted) throw error;
      unfinished = error.message;
    }
  } catch (error) {
    snapshot.restore();
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
  return { ...planned, status: "updated", written: snapshot.changed(), unfinished };
}

/** The bytes in the tree as a source of their own. */
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

/** The report's path, when it lies outside the guarded directories but inside the repository. */
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
