import { readdirSync, readFileSync } from "node:fs";

/** Returns the running processes whose environment has this home, whichever process started them. */
export function processesOf(home: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const isZombie = /^ [ZX]/.test(stat.slice(stat.lastIndexOf(")") + 1));
        return !isZombie && readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${home}`);
      } catch {
        return false; // The process has ended meanwhile, or is not readable.
      }
    });
}
