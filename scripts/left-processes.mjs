import { readdirSync, readFileSync } from "node:fs";

/**
 * Returns the processes whose environment contains `variable`, such as `NAME=value`. Only Linux shows the environment
 * of a process; on other systems, the result is empty.
 */
export function leftProcesses(variable) {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const isLeft = read(`/proc/${pid}/environ`).split("\0").includes(variable);
      return isLeft ? [{ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).split("\0").join(" ").trim() }] : [];
    });
}

/** Returns the text of a file; `""` if the process has ended, or this user may not read it. */
function read(path) {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
