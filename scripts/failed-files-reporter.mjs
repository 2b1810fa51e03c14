import { writeFileSync } from "node:fs";

/**
 * A reporter of vitest. Writes the paths of the files with failed tests to the file that `ACP_KIT_FAILED_FILES` names.
 * If an error belongs to no test, the reporter writes no file, because a second run of the failed files would not show
 * whether this error is gone.
 */
export default class FailedFilesReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const report = process.env.ACP_KIT_FAILED_FILES;
    if (!report || unhandledErrors.length > 0) return;
    const failed = modules.filter((module) => module.state() === "failed").map(({ moduleId }) => moduleId);
    writeFileSync(report, JSON.stringify([...new Set(failed)]));
  }
}
