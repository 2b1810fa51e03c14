import type { AgentCommand } from "./agent-argument.js";

/** An agent that runs somewhere else, behind a URL. */
export interface RemoteTarget {
  /** `http:` and `https:` are streamable HTTP, `ws:` and `wss:` are WebSocket. */
  readonly url: URL;
  /** The bearer token; `undefined` sends none. It is never printed. */
  readonly token: string | undefined;
}

/** The agent that a command works with: a program to start, or one that runs behind a URL. */
export type AgentTarget = AgentCommand | RemoteTarget;

/** Whether the agent runs behind a URL. */
export function isRemote(target: AgentTarget): target is RemoteTarget {
  return "url" in target;
}

/** The address without its query, which may hold a credential. */
export function shownUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/** The name for an agent that has not been initialized. */
export function targetName(target: AgentTarget): string {
  return isRemote(target) ? shownUrl(target.url) : target.command;
}
