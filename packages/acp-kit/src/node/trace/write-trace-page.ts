import { writeFile } from "node:fs/promises";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { loadInspector } from "../inspect/load-inspector.js";
import { fileReasonClause } from "../user-file.js";
import { reportProblems } from "./print-trace.js";
import { pathOf, readFileOrInput } from "./read-file.js";

/**
 * Writes a recording as one HTML page, to a file or, for `-`, to standard output.
 *
 * @throws {CommandFailure} when the package of the inspector, which contains the page, is not installed.
 */
export async function writeTracePage(file: string, out: string, host: Host): Promise<void> {
  const { inspectorHtml } = await loadInspector("acp-kit trace --html");
  const recording = await readFileOrInput(file, host);
  const page = inspectorHtml(recording);
  reportProblems(recording.problems, host);
  if (out === "-") {
    host.stdout.write(page);
    return;
  }
  const path = pathOf(out, host);
  try {
    await writeFile(path, page, { mode: 0o600 }); // only the user may read the file, like the recording
  } catch (cause) {
    const isFolderMissing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    throw usageFailure(
      `Can't write ${out}, because ${isFolderMissing ? "its folder does not exist." : fileReasonClause(cause)}`,
      {
        cause,
      },
    );
  }
  host.stderr.line(`acp-kit trace: wrote ${path}`);
}
