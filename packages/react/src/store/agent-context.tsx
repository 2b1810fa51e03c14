import { createContext, type ReactElement, type ReactNode, useContext, useEffect } from "react";
import type { AgentStore } from "./agent-store.js";

const AgentContext = createContext<AgentStore | undefined>(undefined);

/** Props of {@link AgentProvider}. */
export interface AgentProviderProps {
  readonly store: AgentStore;
  readonly children?: ReactNode;
}

/**
 * Passes a store to the hooks below it, and connects the store when the component is mounted. The application must
 * close the store: the connection stays open when the component unmounts, because StrictMode mounts every component
 * twice. Call `store.close()` to end the agent.
 */
export function AgentProvider({ store, children }: AgentProviderProps): ReactElement {
  useEffect(() => {
    store.connect().catch(() => {}); // the state of the store has the error
  }, [store]);
  return <AgentContext.Provider value={store}>{children}</AgentContext.Provider>;
}

/**
 * Returns the store of the nearest {@link AgentProvider}.
 *
 * @throws {Error} outside of a provider.
 */
export function useAgentStore(): AgentStore {
  const store = useContext(AgentContext);
  if (store !== undefined) return store;
  throw new Error("This hook needs an agent: put the component inside <AgentProvider store={…}>");
}
