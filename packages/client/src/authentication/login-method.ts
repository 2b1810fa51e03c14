import type { IncomingAuthMethod } from "@acp-kit/types";

interface LoginMethodBase {
  readonly id: string;
  /** The name of the login method for the user; its id if the agent sends no name. */
  readonly name: string;
  readonly description: string | undefined;
  /** The login method as the agent sent it, with its `_meta`. */
  readonly wire: IncomingAuthMethod;
}

/** A login method that the agent runs itself, for example by opening a page in a browser. */
export interface AgentLogin extends LoginMethodBase {
  readonly kind: "agent";
}

/** A login method that runs the agent's command in a terminal, with `args` appended and the variables of `env` set. */
export interface TerminalLogin extends LoginMethodBase {
  readonly kind: "terminal";
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An environment variable that the agent reads when it starts. */
export interface LoginVariable {
  readonly name: string;
  /** The label of the variable for the user; its name if the agent sends no label. */
  readonly label: string;
  /** Whether a form should hide the value while the user types it. */
  readonly secret: boolean;
  readonly optional: boolean;
}

/**
 * A login method by which the agent reads a key from its environment. The protocol no longer defines this method
 * (`type: "env_var"`), but some agents use it.
 */
export interface EnvVarLogin extends LoginMethodBase {
  readonly kind: "env_var";
  readonly variables: readonly LoginVariable[];
  /** The URL of a page where the user gets a key. */
  readonly link: string | undefined;
}

/**
 * A login method of a kind that this version of the library doesn't know; `wire` contains the members that the agent
 * sent.
 */
export interface UnknownLogin extends LoginMethodBase {
  readonly kind: "unknown";
  /** The agent's name for this kind of login method. */
  readonly type: string;
  /** The login method as the agent sent it. Its members are not validated. */
  readonly wire: IncomingAuthMethod & Readonly<Record<string, unknown>>;
}

/** A login method that an agent advertises. Use a `switch` on `kind` to distinguish the four kinds. */
export type LoginMethod = AgentLogin | TerminalLogin | EnvVarLogin | UnknownLogin;

/**
 * Reads the login methods from an agent's response to `initialize`. Login methods without an id can't be used and are
 * left out.
 */
export function loginMethods(methods: readonly IncomingAuthMethod[]): readonly LoginMethod[] {
  return methods.flatMap((method) => loginMethod(method) ?? []);
}

function loginMethod(wire: IncomingAuthMethod): LoginMethod | undefined {
  const { id, type = "agent", name, description, ...rest } = wire as Readonly<Record<string, unknown>>;
  if (typeof id !== "string") return undefined;
  const base = { id, name: nonEmptyText(name) ?? id, description: nonEmptyText(description), wire };
  switch (type) {
    case "agent":
      return { kind: "agent", ...base };
    case "terminal": {
      const { args = [], env = {} } = rest as { args?: readonly string[]; env?: Readonly<Record<string, string>> };
      return { kind: "terminal", ...base, args, env };
    }
    case "env_var":
      return { kind: "env_var", ...base, variables: variablesOf(rest), link: nonEmptyText(rest.link) };
    default:
      return { kind: "unknown", ...base, type: String(type), wire: wire as UnknownLogin["wire"] };
  }
}

/** Reads the variables from `vars` or, for agents that follow earlier drafts of the protocol, from `varName`. */
function variablesOf({ vars, varName }: Readonly<Record<string, unknown>>): readonly LoginVariable[] {
  const entries: unknown[] = Array.isArray(vars) ? vars : [{ name: varName }];
  return entries.flatMap((entry) => {
    const { name, label, secret, optional } = Object(entry) as Record<string, unknown>;
    if (typeof name !== "string") return [];
    return [{ name, label: nonEmptyText(label) ?? name, secret: secret !== false, optional: optional === true }];
  });
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
