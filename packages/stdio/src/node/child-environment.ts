/** Environment variables, in the form of `process.env`; the value `undefined` removes a variable. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The names of the environment variables without which programs can't run. None of these variables contains secrets.
 * Use the list as `inheritEnv` for an agent that you don't trust.
 */
export const essentialEnvironment: readonly string[] = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "TZ"],
  ...["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"],
  ...[
    "SystemRoot",
    "SystemDrive",
    "windir",
    "COMSPEC",
    "PATHEXT",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "USERNAME",
    "USERDOMAIN",
  ],
  ...[
    "APPDATA",
    "LOCALAPPDATA",
    "ProgramData",
    "ProgramFiles",
    "ProgramFiles(x86)",
    "ProgramW6432",
    "HOMEDRIVE",
    "HOMEPATH",
  ],
  ...["NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE"],
];

/**
 * The variables with which Electron and VS Code control their own processes. In an agent, `ELECTRON_RUN_AS_NODE` would
 * make each Electron program that it starts run as Node, and `VSCODE_IPC_HOOK` would let it talk to the editor's
 * window. VS Code removes them from its terminals too, and sets those that it means for the programs there: they are
 * kept.
 */
const hosts = /^(?:ELECTRON_|VSCODE_(?!GIT_|IPC_HOOK_CLI$))/i;

/** Returns an environment without the variables that the program that embeds this process has set for itself. */
export function withoutHost<Value>(env: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hosts.test(name)));
}

/**
 * Returns the environment of a child process: all, none or some of the variables of `parent`, overridden by those of
 * `own`. All are those without {@link withoutHost}; a list and `own` can name these too. A proxy for HTTP never applies
 * to this machine.
 */
export function childEnvironment(
  parent: Environment,
  own: Environment = {},
  inherit: boolean | readonly string[] = true,
): Record<string, string> {
  const fold = process.platform === "win32" ? (name: string) => name.toUpperCase() : (name: string) => name;
  const allowed = typeof inherit === "boolean" ? undefined : new Set(inherit.map(fold));
  const result = new Map<string, readonly [name: string, value: string | undefined]>();
  for (const [name, value] of Object.entries(allowed === undefined ? withoutHost(parent) : parent)) {
    if (allowed?.has(fold(name)) ?? inherit) result.set(fold(name), [name, value]);
  }
  for (const [name, value] of Object.entries(own)) result.set(fold(name), [name, value]);
  const set = [...result.values()].filter((entry): entry is readonly [string, string] => entry[1] !== undefined);
  return withoutProxyForLoopback(Object.fromEntries(set));
}

/**
 * Makes sure that an agent with a proxy for HTTP does not send requests to this machine through it. Otherwise tools of
 * the application that the agent reaches at a loopback address would fail, and the proxy would see their tokens.
 */
function withoutProxyForLoopback(env: Record<string, string>): Record<string, string> {
  const names = Object.keys(env);
  if (!names.some((name) => /^(?:https?|all)_proxy$/i.test(name) && env[name])) return env;
  const known = names.filter((name) => /^no_proxy$/i.test(name));
  for (const name of known.length > 0 ? known : ["NO_PROXY", "no_proxy"]) {
    const hosts = env[name] ?? "";
    if (hosts !== "*" && !hosts.includes("localhost")) env[name] = `${hosts && `${hosts},`}localhost,127.0.0.1`;
  }
  return env;
}

/** Returns the value of an environment variable. The name in `env` can be in any case, as on Windows. */
export function variable(env: Environment, name: string): string | undefined {
  if (name in env) return env[name];
  const key = Object.keys(env).find((each) => each.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}
