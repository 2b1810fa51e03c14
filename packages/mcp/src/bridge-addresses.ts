import type { ServedServer } from "./served-server.js";
import type { ServerAddress } from "./session-servers.js";

/** Opens addresses on this machine, for agents that can't reach servers over ACP. */
export interface BridgeAddresses {
  /** Whether the agent that this program starts can reach addresses on this machine. */
  reaches(command: string | undefined): boolean;
  open(server: ServedServer, way: "http" | "stdio"): Promise<ServerAddress>;
}
