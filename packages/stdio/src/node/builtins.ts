interface Builtins {
  readonly child_process: typeof import("node:child_process");
  readonly fs: typeof import("node:fs");
  readonly os: typeof import("node:os");
  readonly path: typeof import("node:path");
  readonly stream: typeof import("node:stream");
  readonly "timers/promises": typeof import("node:timers/promises");
  readonly util: typeof import("node:util");
}

/**
 * Returns a built-in module of Node, which is loaded at its first use. Static imports of these modules would take two
 * thirds of the import time of this package (`child_process` alone loads networking), and an agent that is being served
 * needs hardly any of them.
 */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  return process.getBuiltinModule(name);
}
