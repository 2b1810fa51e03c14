import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readManifest } from "./manifest.js";
import { headline } from "./report/markdown.js";
import { parseNpmSpec, resolveNpmVersion, schemaPackage } from "./source/npm.js";
import { openSource } from "./source/open-source.js";
import { SourceError } from "./source/schema-file.js";
import { DecisionsError, decisionLines, isUndecided } from "./update/decisions.js";
import { unfinishedReason } from "./update/finished.js";
import { StepError } from "./update/steps.js";
import { type UpdateResult, updateSchema } from "./update/update.js";
import { isSystemError, isUsageError, UsageError } from "./usage-error.js";

const usage = `Usage: pnpm schema:update [source] [--check] [--dry-run] [--json] [--report FILE] [--keep] [--decided]

Adopts a schema: writes the schema files, the manifest, the generated code, a report and a changeset. The source is an
npm version (default: the newest ${schemaPackage}), a directory, a file, a .tgz or an address.

  --check        only check whether the schema is current: exit code 0 if it is, 1 if it is not
  --dry-run      print the report and the changeset, write nothing
  --json         print the result as JSON
  --report FILE  write the report to FILE (default: schema/REPORT.md)
  --keep         keep the new schema when it needs decisions, or when generation or the type check fails,
                 so that the code can be changed by hand; the report lists the decisions
  --decided      adopt a schema whose decisions a person has made

If a schema needs decisions, the command writes nothing, and lists them with the files and lines that they affect: every
break of stable v1 (a message, or the name of an export), breaks of other schemas that hand-written code uses, new
variants for code that lists all others, and what the generator requires.

Exit code: 0 when the schema was adopted or is current; 1 when it is not current (--check) or was kept unfinished
(--keep); 2 when the command failed or the schema needs decisions: the tree is unchanged.`;

const unchanged = "schema:update: the new schema could not be adopted; the tree is unchanged.";

/** The advice for the user, for each step that can fail. */
const advice: Readonly<Record<StepError["step"], string>> = {
  generate:
    "Make the decisions listed above in the named files, then run this command again. " +
    "With `--keep`, the new schema stays in the tree meanwhile.",
  typecheck:
    "If `pnpm typecheck` also fails on the unchanged tree, repair that first. Otherwise the code must be adapted to the new schema: " +
    "run this command again with `--keep`, then change the code.",
};

const decisionAdvice =
  "Answer each question and change the code, then run this command again with `--decided`. " +
  "With `--keep`, the new schema stays in the tree meanwhile, and the report contains this list.";

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
        decided: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const [text = "latest", ...more] = positionals;
    if (values.help) {
      console.log(usage);
      return 0;
    }
    if (more.length > 0) throw new UsageError("schema:update takes one source");

    const known = currentVersion(text, root);
    if (known !== undefined) {
      console.log(
        values.json
          ? JSON.stringify({ status: "current", after: known })
          : `Nothing to do: the schema is already the one of ${known}.`,
      );
      return 0;
    }
    const result = await updateSchema(await openSource(text, cwd), {
      root,
      dryRun: values["dry-run"] || values.check,
      keep: values.keep,
      decided: values.decided,
      ...(values.report === undefined ? {} : { report: values.report }),
    });
    console.log(values.json ? toJson(result) : toText(result, values.check));
    if (values.check) return result.status === "current" ? 0 : 1;
    return result.unfinished === undefined ? 0 : 1;
  } catch (error) {
    if (isUsageError(error)) console.error(`schema:update: ${error.message}\n\n${usage}`);
    else if (error instanceof SourceError) console.error(`schema:update: ${error.message}`);
    else if (error instanceof StepError)
      console.error([`${unchanged} ${error.message}`, ...(error.interrupted ? [] : [advice[error.step]])].join("\n\n"));
    else if (error instanceof DecisionsError)
      console.error(
        `schema:update: the new schema needs decisions and was not adopted; the tree is unchanged.\n\n${decisionLines(error.decisions)}\n\n${decisionAdvice}`,
      );
    else if (isSystemError(error)) console.error(`${unchanged} ${error.message}`);
    else throw error;
    return 2;
  }
}

/** Returns the manifest's version if the registry reports the same: nothing needs to be downloaded. */
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
    return `Nothing to do: ${after} contains the same schema files as the tree${before === undefined ? "" : ` (${before})`}.`;
  if (result.pending !== undefined) return `Not current: ${after} is in the tree, but ${result.pending}.`;
  if (check) return `Not current: ${before ?? "nothing"} → ${after}. ${headline(diff).replaceAll("**", "")}`;
  const bumps = [...result.bumps].map(([name, bump]) => `${name}: ${bump}`).join(", ");
  const lines = [
    result.report,
    status === "planned" ? "Would write (and generate):" : "Written:",
    ...written.map((path) => `  ${path}`),
    changeset === undefined
      ? "No package changes, so there is no changeset."
      : `Changeset ${changeset.path} (${bumps}):\n\n${changeset.text}`,
  ];
  if (status === "planned" && isUndecided(result.decisions))
    lines.push("An update with this schema stops unless it is run with --decided: see Decisions above.");
  if (unfinished !== undefined) lines.push(`Kept, but unfinished: ${unfinished}`);
  return lines.join("\n");
}

function toJson(result: UpdateResult): string {
  return JSON.stringify({ ...result, bumps: Object.fromEntries(result.bumps) }, undefined, 2);
}
