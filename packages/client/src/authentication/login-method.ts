import type { IncomingAuthMethod } from "@acp-kit/types";

interface LoginMethodBase {
  readonly id: string;
  /** For people; the id where the agent gives no name. */
  readonly name: string;
  readonly description: string | undefined;
  /** As the agent wrote it, with its `_meta`. */
  readonly wire: IncomingAuthMethod;
}

/** The agent does it itself, in a browser for example. */
export interface AgentLogin extends LoginMethodBase {
  readonly kind: "agent";
}

/** The agent's own command is run in a terminal, with these arguments appended and these variables set. */
export interface TerminalLogin extends LoginMethodBase {
  readonly kind: "terminal";
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A variable that the agent reads when it starts. */
export interface LoginVariable {
  readonly name: string;
  /** For people; its name where the agent gives none. */
  readonly label: string;
  /** Don't show it while it is typed. */
  readonly secret: boolean;
  readonly optional: boolean;
}

/** The agent reads a key from its environment. Not in the protocol (any more), but agents have it: `type: "env_var"`. */
export interface EnvVarLogin extends LoginMethodBase {
  readonly kind: "env_var";
  readonly variables: readonly LoginVariable[];
  /** Where a key can be had. */
  readonly link: string | undefined;
}

/** A kind that this version doesn't know: its members are in `wire`. */
export interface UnknownLogin extends LoginMethodBase {
  readonly kind: "unknown";
  /** What the agent calls the kind. */
  readonly type: string;
  /** Where its own members are, unchecked. */
  readonly wire: IncomingAuthMethod & Readonly<Record<string, unknown>>;
}

/** A way to log in. Switch over its `kind`. */
export type LoginMethod = AgentLogin | TerminalLogin | EnvVarLogin | UnknownLogin;

/** Reads what an agent advertises. An entry without an id can't be asked for, and is left out. */
export function loginMethods(methods: readonly IncomingAuthMethod[]): readonly LoginMethod[] {
  return methods.flatMap((method) => loginMethod(method) ?? []);
}

function loginMethod(wire: IncomingAuthMethod): LoginMethod | undefined {
  const { id, type = "agent", name, description, ...rest } = wire as Readonly<Record<string, unknown>>;
  if (typeof id !== "string") return undefined;
  const base = { id, name: textOf(name) ?? id, description: textOf(description), wire };
  switch (type) {
    case "agent":
      return { kind: "agent", ...base };
    case "terminal": {
      const { args = [], env = {} } = rest as { args?: readonly string[]; env?: Readonly<Record<string, string>> };
      return { kind: "terminal", ...base, args, env };
    }
    case "env_var":
      return { kind: "env_var", ...base, variables: variablesOf(rest), link: textOf(rest.link) };
    default:
      return { kind: "unknown", ...base, type: String(type), wire: wire as UnknownLogin["wire"] };
  }
}

/** `vars`, or the one `varName` of before. */
function variablesOf({ vars, varName }: Readonly<Record<string, unknown>>): readonly LoginVariable[] {
  const entries: unknown[] = Array.isArray(vars) ? vars : [{ name: varName }];
  return entries.flatMap((entry) => {
    const { name, label, secret, optional } = Object(entry) as Record<string, unknown>;
    if (typeof name !== "string") return [];
    return [{ name, label: textOf(label) ?? name, secret: secret !== false, optional: optional === true }];
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
