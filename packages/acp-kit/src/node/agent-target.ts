import type { AgentIdentity } from "@acp-kit/registry";

/** The command that starts an agent: a program and its arguments. No shell interprets them. */
export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables, added to the inherited ones. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Time limits of the agent, in milliseconds: `startTimeoutMs` until its first output, `exitGraceMs` for its exit. */
  readonly startTimeoutMs?: number;
  readonly exitGraceMs?: number;
  /** The names of programs that the agent leaves running on purpose. */
  readonly leavesBehind?: readonly string[];
  /** The agent's identity, if it was found by name. */
  readonly identity?: AgentIdentity;
}

/** An agent that is reached through a URL. */
export interface RemoteTarget {
  /** The URL of the agent: `http:` and `https:` mean streamable HTTP, `ws:` and `wss:` mean WebSocket. */
  readonly url: URL;
  /** The bearer token for the agent's server; `undefined` sends no token. The token is never printed. */
  readonly token: string | undefined;
}

/** The agent that a command of `acp-kit` uses: a program to start, or a URL. */
export type AgentTarget = AgentCommand | RemoteTarget;

/** Returns whether the agent is reached through a URL. */
export function isRemote(target: AgentTarget): target is RemoteTarget {
  return "url" in target;
}

/** Returns a URL without its query, which may contain a credential. */
export function shownUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/** Returns a name for an agent that has not sent its own name yet. */
export function targetName(target: AgentTarget): string {
  return isRemote(target) ? shownUrl(target.url) : target.command;
}
