import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { diffSources } from "./diff-sources.js";
import { effects } from "./difference.js";
import { toMarkdown } from "./report/markdown.js";
import { openSource } from "./source/open-source.js";
import { SourceError } from "./source/schema-file.js";
import { isSystemError, isUsageError, UsageError } from "./usage-error.js";

const usage = `Usage: pnpm schema:diff <before> <after> [--json] [--report FILE] [--fail-on EFFECT]

Compares two schema files, directories, .tgz archives, addresses or npm versions
(2.4.0, latest, @agentclientprotocol/sdk@2.1.0). Reports each change and the sides that it affects.

  --json           print the whole comparison as JSON
  --report FILE    also write the Markdown report to FILE
  --fail-on EFFECT exit with 1 when the verdict is EFFECT or a more severe one:
                   ${effects.slice(0, -1).join(", ")}

Exit code: 0 when the sources were compared, 1 because of --fail-on, 2 when they could not be compared.`;

/** `pnpm schema:diff`. Returns the exit code. */
export async function runDiff(args: readonly string[], cwd: string): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        report: { type: "string" },
        "fail-on": { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const [before, after, ...more] = positionals;
    if (values.help) {
      console.log(usage);
      return 0;
    }
    if (before === undefined || after === undefined || more.length > 0)
      throw new UsageError("schema:diff needs exactly two sources");
    const limit = (effects as readonly string[]).indexOf(values["fail-on"] ?? "");
    if (values["fail-on"] !== undefined && limit < 0)
      throw new UsageError(`--fail-on takes one of: ${effects.join(", ")}`);
    const [a, b] = [await openSource(before, cwd), await openSource(after, cwd)];
    const diff = diffSources(a, b);
    const markdown = toMarkdown(diff);
    if (values.report !== undefined) writeFileSync(resolve(cwd, values.report), markdown);
    console.log(values.json ? JSON.stringify(diff, undefined, 2) : markdown);
    if (diff.schemas.length === 0 || diff.schemas.some(({ counts }) => counts.after.methods === 0)) return 2;
    return values["fail-on"] !== undefined && effects.indexOf(diff.effect) <= limit ? 1 : 0;
  } catch (error) {
    if (isUsageError(error)) console.error(`schema:diff: ${error.message}\n\n${usage}`);
    else if (error instanceof SourceError || isSystemError(error)) console.error(`schema:diff: ${error.message}`);
    else throw error;
    return 2;
  }
}
