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
 * A module of Node's own, loaded when it is first asked for. Imported as usual they would be two thirds of what importing this package
 * costs (`child_process` alone brings networking), and an agent that is served needs hardly any of them. Asking again costs nothing.
 */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  return process.getBuiltinModule(name);
}
