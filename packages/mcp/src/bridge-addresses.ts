import type { ServedServer } from "./served-server.js";
import type { ServerAddress } from "./session-servers.js";

/** Opens addresses on this machine, for agents that can't reach servers over ACP. */
export interface BridgeAddresses {
  open(server: ServedServer, way: "http" | "stdio"): Promise<ServerAddress>;
}
