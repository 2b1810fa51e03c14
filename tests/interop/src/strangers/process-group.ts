import { readdirSync, readFileSync } from "node:fs";

/** The processes of a group that live, by the system's own table. Zombies have ended. */
export function livingIn(group: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const [state, , pgrp] = statOf(pid);
      return Number(pgrp) === group && state !== "Z" && state !== "X";
    });
}

/** The fields behind the name, which may itself hold spaces and brackets: state, parent, group, … */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return []; // it has ended meanwhile
  }
}
