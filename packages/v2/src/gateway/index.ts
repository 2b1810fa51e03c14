// For applications that host a gateway.

export type { GatewayVersion } from "@acp-kit/gateway"; // re-exported: it appears in the signature
export { v2 } from "./gateway-version.js";
