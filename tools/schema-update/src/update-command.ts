import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readManifest } from "./manifest.js";
import { headline } from "./report/markdown.js";
import { parseNpmSpec, resolveNpmVersion, schemaPackage } from "./source/npm.js";
import { openSource } from "./source/open-source.js";
import { SourceError } from "./source/schema-file.js";
import { BreakingError, decisionLines } from "./update/decision-lines.js";
import { unfinishedReason } from "./update/finished.js";
import { StepError } from "./update/steps.js";
import { type UpdateResult, updateSchema } from "./update/update.js";
import { isSystemError, isUsageError, UsageError } from "./usage-error.js";

const usage = `Usage: pnpm schema:update [source] [--check] [--dry-run] [--json] [--report FILE] [--keep] [--accept-breaking]

Adopts a schema: bytes, manifest, generated code, report and changeset. The source is an npm version
(default: the newest ${schemaPackage}), a directory, a file, a .tgz or an address.

  --check        only report whether we are behind: exit code 0 when current, 1 when behind
  --dry-run      show report and changeset, write nothing
  --json         print the result as JSON
  --report FILE  where the report goes (default: schema/REPORT.md)
  --keep         keep the new schema when it breaks stable v1, or when generation or type-check fail:
                 the list of decisions stands in the report, the rest is adopted by hand
  --accept-breaking  adopt a schema that breaks stable v1, after the decisions listed are taken
  --gated breaking  count new variants that a capability gates as breaking (default: additive)

A schema that breaks stable v1 (a message, or the name of an export) stops before anything is written, with a list of
what a person has to decide and the files concerned. v2 and unstable schemas may break in a minor release: they are
adopted, and the report lists what breaks.

Exit code: 0 done or nothing to do, 1 behind (--check) or kept unfinished (--keep), 2 failed, or stopped at a schema that
breaks stable v1: the tree is unchanged.`;

const unchanged = "schema:update: the new schema could not be adopted; the tree is what it was.";

/** What a person does next, by the step that failed. */
const advice: Readonly<Record<StepError["step"], string>> = {
  generate:
    "Decide what is listed above in the files named, then run this again. " +
    "`--keep` leaves the new schema in the tree while you do.",
  typecheck:
    "If `pnpm typecheck` fails now too, repair that first. Otherwise code has to follow the new schema: " +
    "run this again with `--keep`, and adopt it by hand.",
};

const breakingAdvice =
  "Decide each of these, then run this again with `--accept-breaking`. " +
  "`--keep` leaves the new schema in the tree while you do; the list then stands in the report.";

const repository = fileURLToPath(new URL("../../../", import.meta.url));

/** `pnpm schema:update`. Returns the exit code. */
export async function runUpdate(args: readonly string[], cwd: string, root: string = repository): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        check: { type: "boolean", default: false },
        "dry-run": { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        report: { type: "string" },
        keep: { type: "boolean", default: false },
        "accept-breaking": { type: "boolean", default: false },
        gated: { type: "string", default: "additive" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const [text = "latest", ...more] = positionals;
    if (values.help) {
      console.log(usage);
      return 0;
    }
    if (more.length > 0) throw new UsageError("schema:update takes one source");
    if (values.gated !== "additive" && values.gated !== "breaking")
      throw new UsageError("--gated takes additive or breaking");

    const known = currentVersion(text, root);
    if (known !== undefined) {
      console.log(
        values.json
          ? JSON.stringify({ status: "current", after: known })
          : `Nothing to do: the schema is that of ${known}.`,
      );
      return 0;
    }
    const result = await updateSchema(await openSource(text, cwd), {
      root,
      gated: values.gated,
      dryRun: values["dry-run"] || values.check,
      keep: values.keep,
      acceptBreaking: values["accept-breaking"],
      ...(values.report === undefined ? {} : { report: values.report }),
    });
    console.log(values.json ? toJson(result) : toText(result, values.check));
    if (values.check) return result.status === "current" ? 0 : 1;
    return result.unfinished === undefined ? 0 : 1;
  } catch (error) {
    if (isUsageError(error)) console.error(`schema:update: ${error.message}\n\n${usage}`);
    else if (error instanceof SourceError) console.error(`schema:update: ${error.message}`);
    else if (error instanceof StepError) {
      const places =
        error.places.length === 0 ? [] : [["Code that mentions what is gone:", ...error.places].join("\n")];
      console.error(
        [`${unchanged} ${error.message}`, ...places, ...(error.interrupted ? [] : [advice[error.step]])].join("\n\n"),
      );
    } else if (error instanceof BreakingError)
      console.error(
        `schema:update: the new schema breaks stable v1 and was not adopted; the tree is what it was.\n\n${decisionLines(error.decisions)}\n\n${breakingAdvice}`,
      );
    else if (isSystemError(error)) console.error(`${unchanged} ${error.message}`);
    else throw error;
    return 2;
  }
}

/** The version in the manifest, when the registry reports the same as the newest: then nothing is downloaded. */
function currentVersion(text: string, root: string): string | undefined {
  const spec = parseNpmSpec(text);
  const manifest = readManifest(root);
  if (spec === undefined || manifest === undefined || manifest.package !== spec.name) return undefined;
  if (unfinishedReason(root, manifest) !== undefined) return undefined;
  return resolveNpmVersion(spec) === manifest.version ? `${manifest.package} ${manifest.version}` : undefined;
}

function toText(result: UpdateResult, check: boolean): string {
  const { status, before, after, diff, changeset, written, unfinished } = result;
  if (status === "current")
    return `Nothing to do: ${after} carries the bytes that are here already${before === undefined ? "" : ` (${before})`}.`;
  if (result.pending !== undefined) return `Not current: ${after} is in the tree, but ${result.pending}.`;
  if (check) return `Not current: ${before ?? "nothing"} → ${after}. ${headline(diff).replaceAll("**", "")}`;
  const bumps = [...result.bumps].map(([name, bump]) => `${name}: ${bump}`).join(", ");
  const lines = [
    result.report,
    status === "planned" ? "Would write (and generate):" : "Written:",
    ...written.map((path) => `  ${path}`),
    changeset === undefined
      ? "No package is concerned: no changeset."
      : `Changeset ${changeset.path} (${bumps}):\n\n${changeset.text}`,
  ];
  if (status === "planned" && result.decisions.breaking.length > 0)
    lines.push("An update stops here until it is run with --accept-breaking: see Decisions above.");
  if (unfinished !== undefined) lines.push(`Kept, but unfinished: ${unfinished}`);
  return lines.join("\n");
}

function toJson(result: UpdateResult): string {
  return JSON.stringify({ ...result, bumps: Object.fromEntries(result.bumps) }, undefined, 2);
}
