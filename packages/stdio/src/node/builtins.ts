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
 * Returns a built-in Node module, loaded on first use. Static imports of them would be two thirds of the import time of this
 * package (`child_process` alone loads networking), and a served agent needs hardly any of them. Further calls cost nothing.
 */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  return process.getBuiltinModule(name);
}
