// Remedies that several rules share.

/** How a client sends only the messages whose capability the agent advertised. */
export function ifAgentHas(message: string, capability: string, otherwise?: string): string {
  const remedy = `Store the agentCapabilities of the response to initialize, and send ${message} only if ${capability}.`;
  return otherwise === undefined ? remedy : `${remedy} ${otherwise}`;
}

/** How an agent uses only the features that the client advertised. */
export function ifClientHas(feature: string, capability: string, otherwise?: string): string {
  const remedy = `Store the clientCapabilities of initialize, and use ${feature} only if ${capability}.`;
  return otherwise === undefined ? remedy : `${remedy} ${otherwise}`;
}
