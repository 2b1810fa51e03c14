import { InvalidOptionError } from "@acp-kit/protocol";
import { checkOptions, connectionLimitKinds, type OptionKinds } from "@acp-kit/protocol/internal";
import type { LoginHandlers } from "./authentication/login-handlers.js";
import type { ConnectAgentOptions, ElicitationHandlers, FileHandlers, TerminalHandlers } from "./connect-options.js";

const caller = "connectAgent";

/**
 * Checks the arguments of `connectAgent` at run time, because no compiler finds misspelt handlers in JavaScript.
 *
 * @throws {InvalidOptionError} for the first argument, handler or option that is missing, misspelt or of the wrong
 * type.
 */
export function checkConnectOptions(agent: unknown, options: ConnectAgentOptions): void {
  if (!isSource(agent)) {
    throw new InvalidOptionError(caller, "agent", "must be a transport or a promise of one, such as spawnAgent(…)");
  }
  checkOptions(caller, options, connectOptionKinds);
  checkOptions(caller, options.limits ?? {}, connectionLimitKinds, "limits.");
  for (const group of ["files", "terminals", "elicitation", "login"] as const) {
    if (options[group] != null) checkOptions<object>(caller, options[group], handlerKinds[group], `${group}.`);
  }
  const { permissions = [], versions = [] } = options;
  for (const version of versions) version.check(options);
  for (const rule of Array.isArray(permissions) ? permissions : [permissions]) {
    if (typeof rule === "function" || typeof rule?.decide === "function") continue;
    throw new InvalidOptionError(caller, "permissions", "must be functions or rules such as allowReads()");
  }
}

function isSource(agent: unknown): boolean {
  return typeof agent === "object" && agent !== null && ["start", "open", "then"].some((method) => method in agent);
}

/** The kinds of the options of `connectAgent`, also for functions that pass them on. */
export const connectOptionKinds: OptionKinds<ConnectAgentOptions> = {
  info: "value",
  versions: "value",
  mcp: "value",
  permissions: "value", // may also be a function; checked above
  onPermissionDecision: "function",
  files: "value",
  terminals: "value",
  elicitation: "value",
  login: "value",
  onUpdate: "function",
  transcript: "value",
  dialects: "value",
  supports: "value",
  capabilitiesMeta: "value",
  extensions: "value",
  signal: "value",
  limits: "value",
  checkOutgoing: "function",
  tap: "function",
  tapSecrets: "value",
  onDiagnostic: "function",
  concurrentPrompts: ["queue", "reject", "send"],
  reapplyOptions: "value",
  unstable: "value",
};

const handlerKinds: {
  readonly files: OptionKinds<FileHandlers>;
  readonly terminals: OptionKinds<TerminalHandlers>;
  readonly elicitation: OptionKinds<ElicitationHandlers>;
  readonly login: OptionKinds<LoginHandlers>;
} = {
  files: { readTextFile: "function", writeTextFile: "function", deleteFile: "function", renameFile: "function" },
  terminals: {
    createTerminal: "function!",
    terminalOutput: "function!",
    waitForTerminalExit: "function!",
    killTerminal: "function!",
    releaseTerminal: "function!",
  },
  elicitation: { form: "function", url: "function", onComplete: "function" },
  login: { choose: "function!", terminal: "function", environment: "function", unknown: "function" },
};
