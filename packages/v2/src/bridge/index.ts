// For proxies, hosts of agents, and applications whose agents speak another version of the protocol.

// Re-exported: they appear in the signatures
export type { Diagnostic, Transport } from "@acp-kit/jsonrpc";
export { type BridgeVersionsOptions, bridgeVersions } from "./bridge-versions.js";
