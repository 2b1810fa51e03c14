import type { BothEras } from "../eras.js";

/** A server that agents on this machine can reach. */
export interface LocalServer {
  /** Serves the clients of the agent, in both eras of MCP. */
  readonly eras: BothEras;
  /** Aborts when the address is closed. */
  readonly closed: AbortSignal;
  /** Compares a token in a time that does not depend on the place of the first difference. */
  isToken(token: string): boolean;
}

/** The servers that have an address, by the random part of the address. */
export type LocalServers = ReadonlyMap<string, LocalServer>;
