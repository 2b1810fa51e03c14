import { builtin } from "./builtins.js";

/** The scope in which a pid identifies a process. Several scopes can share a directory: a home directory that a container sees too, or one on a file server. */
export interface ProcessScope {
  /** The installation of the system, `""` where it has no name. */
  readonly machine: string;
  /** The start of the system, `""` where it has no name. */
  readonly boot: string;
  /** The PID namespace, `""` where there are none. */
  readonly namespace: string;
}

/**
 * How the pids of a scope relate to this process: `same` processes; those of `another` scope, which this process can't see; or
 * those of a `past` start of this system, none of which runs any more.
 */
export type ScopeRelation = "same" | "another" | "past";

/** Returns the scope of this process. */
export function currentScope(): ProcessScope {
  return { machine: firstLine("/etc/machine-id"), boot: bootId(), namespace: pidNamespace() };
}

/** The id of this start of the system. */
export function bootId(): string {
  return firstLine("/proc/sys/kernel/random/boot_id");
}

/** Compares `scope` with `here`. */
export function relateScope(scope: ProcessScope, here: ProcessScope): ScopeRelation {
  if (scope.boot === here.boot) return scope.namespace === here.namespace ? "same" : "another";
  const isElsewhere = scope.machine !== "" && here.machine !== "" && scope.machine !== here.machine;
  return isElsewhere ? "another" : "past";
}

function pidNamespace(): string {
  try {
    return builtin("fs").readlinkSync("/proc/self/ns/pid");
  } catch {
    return ""; // not Linux
  }
}

function firstLine(path: string): string {
  try {
    return builtin("fs").readFileSync(path, "latin1").trim();
  } catch {
    return "";
  }
}
