import { Cell } from "../cell.js";
import type { ClientPeer } from "../client-peer.js";
import type { Readable } from "../transcript/readable.js";
import { feature, type UnstableFeature } from "./unstable-feature.js";

/** An account with which an agent is logged in. Only for display: none of the members identifies an account. */
export interface LoginAccount {
  readonly label: string;
  readonly active?: boolean;
  readonly name?: string;
  readonly email?: string;
  readonly organization?: string;
}

/**
 * Whether an agent is logged in, as it reports it. `authenticated` means that it has credentials, not that they are
 * still valid; `not_required` that it needs none. Treat any other string as `unknown`.
 */
export interface LoginState {
  readonly state: "authenticated" | "unauthenticated" | "not_required" | "unknown" | (string & {});
  readonly accounts: readonly LoginAccount[];
}

/** The login state of an agent, for the option `unstable` of `connectAgent`. */
export interface WatchedLoginState extends UnstableFeature, Readable<LoginState | undefined> {
  /**
   * Requests the state with `auth/status`, if the agent advertised it, and returns the current state; `undefined` if
   * the agent has reported none. The request changes nothing and needs no login.
   *
   * @throws {RpcError} when the agent responds with an error.
   */
  refresh(): Promise<LoginState | undefined>;
}

/** The maximum number of accounts, and the maximum length of their members; the rest is left out. */
const MAX_ACCOUNTS = 100;
const MAX_LENGTH = 1_000;

/**
 * Watches the login state that agents report: by `auth/status_update` of the protocol's draft, and by
 * `_auth/status_update`, which the adapters of Claude Code and Codex send. Pass the returned object to one connection.
 *
 * @experimental
 * @example
 * ```ts
 * const login = loginState();
 * const agent = await connectAgent(source, { unstable: [login] });
 * login.subscribe(() => show(login.snapshot));
 * ```
 */
export function loginState(): WatchedLoginState {
  const cell = new Cell<LoginState | undefined>(undefined);
  let current: ClientPeer | undefined;
  const update = (state: LoginState | undefined): void => {
    if (state !== undefined) cell.set(state);
  };
  const connect = (peer: ClientPeer): void => {
    current = peer;
    peer.handleNotification("auth/status_update" as never, (params: unknown) => update(stateOf(params)));
    peer.connection.onNotification("_auth/status_update", (params: unknown) => update(stateOfAdapter(params)));
  };
  return {
    ...feature({ name: "loginState", connect }),
    get snapshot() {
      return cell.snapshot;
    },
    getSnapshot: cell.getSnapshot,
    subscribe: cell.subscribe,
    async refresh() {
      if (current?.offers("agentCapabilities.auth.status"))
        update(stateOf(await current.request("auth/status" as never, {} as never)));
      return cell.snapshot;
    },
  };
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;

/** Reads the form of the protocol's draft. Returns `undefined` for anything else. */
function stateOf(value: unknown): LoginState | undefined {
  if (!isObject(value) || typeof value.state !== "string") return undefined;
  const accounts = Array.isArray(value.accounts) ? value.accounts.slice(0, MAX_ACCOUNTS) : [];
  return {
    state: value.state.slice(0, MAX_LENGTH),
    accounts: accounts.filter(isObject).flatMap((account) => {
      const texts = textsOf(account, ["label", "name", "email", "organization"]);
      const isActive = typeof account.active === "boolean" && { active: account.active };
      return texts.label === undefined ? [] : [{ ...texts, ...isActive } as LoginAccount];
    }),
  };
}

/** Reads the form of the adapters: one identity, whose kind is `none` without a login. */
function stateOfAdapter(value: unknown): LoginState | undefined {
  const status = isObject(value) ? value.authStatus : undefined;
  if (!isObject(status) || typeof status.kind !== "string") return undefined;
  if (status.kind === "none") return { state: "unauthenticated", accounts: [] };
  const { label } = textsOf(status, ["label"]);
  const account = isObject(status.account) ? textsOf(status.account, ["email", "organization"]) : {};
  return {
    state: "authenticated",
    accounts: label === undefined ? [] : [{ label, active: true, ...account }],
  };
}

function textsOf(members: Members, names: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of names) {
    const value = members[name];
    if (typeof value === "string") texts[name] = value.slice(0, MAX_LENGTH);
  }
  return texts;
}
