import type { AgentConnection } from "@acp-kit/client";
import { useAgentStore } from "../store/agent-context.js";
import { type AgentState, idleAgent } from "../store/agent-state.js";
import { useReadable } from "./use-readable.js";

/** The result of {@link useAgent}: the state of the connection, and functions to control it. */
export type UseAgent = AgentState & {
  /** Connects again after a failure or the connection's end. If that fails, the state contains the error. */
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
 * Returns the connected agent. While the connection is being opened, the component suspends. If this fails, or if the
 * connection has ended, the hook throws the error to the nearest error boundary.
 *
 * On a server, the hook throws, because agents are connected only in the browser. React then renders the fallback of
 * the nearest `Suspense`, and the browser renders the component.
 */
export function useReadyAgent(): AgentConnection {
  const store = useAgentStore();
  const { status, agent, error } = useReadable(store.state, idleAgent);
  if (agent !== undefined) return agent;
  if (status === "failed" || status === "closed") throw error;
  throw suspension(() => store.connect());
}

/**
 * Returns a promise for a component that suspends: React waits for the promise and then renders again. The promise
 * never rejects, because the state of the store contains the error.
 *
 * `run` changes the state of the store. It runs after React has rendered, because a state must not change while React
 * renders.
 */
export function suspension(run: () => Promise<unknown>): unknown {
  if (typeof document === "undefined")
    return new Error(
      "useReadyAgent and useReadySession can't render on a server: agents are connected in the browser only",
    );
  return Promise.resolve().then(run).then(nothing, nothing);
}

function nothing(): void {}
