import { writeFile } from "node:fs/promises";
import { traceHtml } from "@acp-kit/testing/recording";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { reportProblems } from "./print-trace.js";
import { pathOf, readFileOrInput } from "./read-file.js";

/** Writes a recording as one HTML page, to a file or, for `-`, to standard output. */
export async function writeTracePage(file: string, out: string, host: Host): Promise<void> {
  const recording = await readFileOrInput(file, host);
  const page = await traceHtml(recording);
  reportProblems(recording.problems, host);
  if (out === "-") {
    host.stdout.write(page);
    return;
  }
  const path = pathOf(out, host);
  try {
    await writeFile(path, page, { mode: 0o600 }); // as private as the recording
  } catch (cause) {
    throw usageFailure(`Can't write ${out}: ${(cause as Error).message}`, { cause });
  }
  host.stderr.line(`acp-kit trace: wrote ${path}`);
}
