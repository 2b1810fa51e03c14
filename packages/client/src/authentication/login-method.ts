import type { IncomingAuthMethod } from "@acp-kit/types";

interface LoginMethodBase {
  readonly id: string;
  /** Shown to the user; the id if the agent gives no name. */
  readonly name: string;
  readonly description: string | undefined;
  /** The entry as the agent sent it, with its `_meta`. */
  readonly wire: IncomingAuthMethod;
}

/** The agent runs the login itself, in a browser for example. */
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
  /** Shown to the user; its name if the agent gives no label. */
  readonly label: string;
  /** Whether to hide it while it is typed. */
  readonly secret: boolean;
  readonly optional: boolean;
}

/** The agent reads a key from its environment. No longer in the protocol, but in use: `type: "env_var"`. */
export interface EnvVarLogin extends LoginMethodBase {
  readonly kind: "env_var";
  readonly variables: readonly LoginVariable[];
  /** A page where the user gets a key. */
  readonly link: string | undefined;
}

/** A kind that this version doesn't know: its members are in `wire`. */
export interface UnknownLogin extends LoginMethodBase {
  readonly kind: "unknown";
  /** The agent's name for the kind. */
  readonly type: string;
  /** Its own members, unchecked. */
  readonly wire: IncomingAuthMethod & Readonly<Record<string, unknown>>;
}

/** A login method. Switch over its `kind`. */
export type LoginMethod = AgentLogin | TerminalLogin | EnvVarLogin | UnknownLogin;

/** Reads the login methods that an agent advertises. An entry without an id can't be used, and is left out. */
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

/** Reads `vars`, or `varName` of earlier drafts. */
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
