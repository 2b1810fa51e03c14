import { closeSync, existsSync, openSync, rmSync, writeFileSync } from "node:fs";
import type { AgentQuirks } from "@acp-kit/registry";
import type { AgentCommand } from "../../agent-target.js";
import { resolveName } from "../../agents/resolve-name.js";
import { usageFailure } from "../../command-failure.js";
import type { Host } from "../../host.js";
import { jsonText } from "../../json-text.js";
import { fileReasonClause, parseJson, readText } from "../../user-file.js";
import { agentsPage } from "./agents-page.js";
import { measureAgent } from "./measure-agent.js";
import { mergeRow } from "./merge-rows.js";

/** The options of `acp-kit doctor --matrix`. */
export interface MatrixOptions {
  /** A file of rows to update; if `undefined`, the rows are printed. */
  readonly out: string | undefined;
  /** The path of the page to generate from all rows. */
  readonly page: string | undefined;
  /** Whether to skip the conformance kit and keep its earlier results. */
  readonly isQuick: boolean;
  readonly signal: AbortSignal;
}

/** Measures agents one at a time, and writes the rows and the page. */
export async function runMatrix(
  names: readonly string[],
  host: Host,
  { out, page, isQuick, signal }: MatrixOptions,
): Promise<void> {
  if (names.length === 0)
    throw usageFailure("--matrix needs the names of agents, as in: acp-kit doctor --matrix gemini opencode");
  let rows: readonly AgentQuirks[] = out === undefined || !existsSync(out) ? [] : readRows(out);
  // Before the measurements, whose results would be lost
  for (const file of [out, page]) if (file !== undefined) checkWritable(file);
  const on = new Date().toISOString().slice(0, 10);
  // A measurement takes minutes, so an unknown name must be reported before the first one
  const agents: AgentCommand[] = [];
  for (const name of names) agents.push(await resolveName(name, { args: [], mayBeProgram: false }, host));
  for (const agent of agents) {
    const row = await measureAgent(agent, { on, signal, isQuick, onStep: (step) => host.stderr.line(step) });
    rows = mergeRow(rows, row);
    if (out !== undefined) writeFileSync(out, `${JSON.stringify(rows, undefined, 2)}\n`);
  }
  if (out === undefined) host.stdout.line(jsonText(rows));
  if (page !== undefined) writeFileSync(page, agentsPage(rows));
}

/** @throws {CommandFailure} with the reason, if the file can't be written. Does not change the file. */
function checkWritable(file: string): void {
  const isNew = !existsSync(file);
  try {
    closeSync(openSync(file, "a"));
    if (isNew) rmSync(file);
  } catch (cause) {
    throw usageFailure(`Can't write ${file}, because ${fileReasonClause(cause)}`, { cause });
  }
}

function readRows(file: string): readonly AgentQuirks[] {
  const rows = parseJson(readText(file), file);
  if (Array.isArray(rows)) return rows as readonly AgentQuirks[];
  throw usageFailure(`${file} must contain a list of rows.`);
}
