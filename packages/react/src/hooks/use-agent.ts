import type { AgentConnection } from "@acp-kit/client";
import { useAgentStore } from "../store/agent-context.js";
import { type AgentState, idleAgent } from "../store/agent-state.js";
import { useReadable } from "./use-readable.js";

/** What {@link useAgent} returns: the state of the connection, and the actions on it. */
export type UseAgent = AgentState & {
  /** Connects again after a failure or after the connection has ended. The state has the error, if it fails. */
  readonly reconnect: () => void;
};

/** Returns the state of the connection to the agent of the nearest `AgentProvider`. */
export function useAgent(): UseAgent {
  const store = useAgentStore();
  const state = useReadable(store.state, idleAgent);
  const reconnect = (): void => {
    store.connect().catch(() => {}); // the state has the error
  };
  return { ...state, reconnect };
}

/**
 * Returns the connected agent. While the agent connects, the component suspends; if connecting failed or the connection
 * has ended, it throws the error to the nearest error boundary.
 *
 * On a server the hook throws, because agents are connected in the browser only: React then renders the fallback of the
 * nearest `Suspense`, and the browser renders the component.
 */
export function useReadyAgent(): AgentConnection {
  const store = useAgentStore();
  const { status, agent, error } = useReadable(store.state, idleAgent);
  if (status === "ready") return agent;
  if (status === "failed" || status === "closed") throw error;
  throw suspension(() => store.connect());
}

/** What React waits for: a promise that never rejects, since the state of the store has the error. */
export function suspension(run: () => Promise<unknown>): unknown {
  if (typeof document === "undefined")
    return new Error("Agents are connected in the browser: nothing runs on a server");
  return run().then(nothing, nothing);
}

function nothing(): void {}
