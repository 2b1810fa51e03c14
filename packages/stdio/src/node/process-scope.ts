import { builtin } from "./builtins.js";

/**
 * The scope in which a pid identifies a process. Several scopes can share a directory, for example a home directory
 * that is mounted into a container or is on a file server.
 */
export interface ProcessScope {
  /** The id of the installed system; `""` if it has none. */
  readonly machine: string;
  /** The id of the current start of the system; `""` if it has none. */
  readonly boot: string;
  /** The PID namespace; `""` on systems without namespaces. */
  readonly namespace: string;
}

/**
 * The meaning of a scope's pids for this process. `same`: the pids identify the same processes as in this process.
 * `another`: the pids identify processes that this process can't see. `past`: the pids are from an earlier start of
 * this system, so none of the processes runs any more.
 */
export type ScopeRelation = "same" | "another" | "past";

/** Returns the scope of this process. */
export function currentScope(): ProcessScope {
  return { machine: firstLine("/etc/machine-id"), boot: bootId(), namespace: pidNamespace() };
}

/** Returns the id of the current start of the system. */
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
