import { readdirSync, readFileSync } from "node:fs";

/** Returns the running processes of a process group, from the system's table. Zombies are not included. */
export function livingIn(group: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const [state, , pgrp] = statOf(pid);
      return Number(pgrp) === group && state !== "Z" && state !== "X";
    });
}

/** The fields after the name, which may contain spaces and brackets: state, parent, group, … */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return []; // The process has ended meanwhile.
  }
}
