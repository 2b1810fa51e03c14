import { execFile } from "node:child_process";

/**
 * Kills a child process together with its process group, or on Windows together with its descendants. The child must
 * lead its process group, as the processes of agents do. Never throws.
 */
export function killTree(pid: number | undefined): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    execFile("taskkill", ["/PID", String(pid), "/T", "/F"], { windowsHide: true }, () => {});
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
