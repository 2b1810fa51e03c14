import { every, shareOf } from "@acp-kit/jsonrpc/internal";
import type { HttpConnection } from "./http-connection.js";
import { type Principal, principalKey } from "./principal.js";
import { Refusal } from "./refusal.js";

/** A connection over streamable HTTP or WebSocket. It counts towards the limits. */
export interface LiveConnection {
  /** The connection over streamable HTTP, which later requests find by its id; `undefined` for a WebSocket. */
  readonly http: HttpConnection | undefined;
  /** Checks the time limits. Called once a second. */
  sweep(): void;
  /** Closes the connection. The agent gets `drainTimeoutMs` to finish its work. */
  close(): Promise<unknown>;
}

interface Entry {
  readonly key: string;
  readonly connection: LiveConnection;
}

/** The open connections of a server. A look-up finds only connections of the given principal. */
export class Connections {
  readonly #limits: { readonly maxConnections: number; readonly maxConnectionsPerPrincipal: number };
  readonly #entries = new Map<string, Entry>();
  readonly #counts = new Map<string, number>();
  #stopSweeping: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(limits: { readonly maxConnections: number; readonly maxConnectionsPerPrincipal: number }) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Checks the limits and counts a connection in one step, so that concurrent requests can't exceed the limits. The
   * agent of the connection is chosen later.
   *
   * @throws {Refusal} 503 or 429 when the principal may not open another connection.
   */
  add(id: string, principal: Principal, connection: LiveConnection): void {
    const key = principalKey(principal);
    this.#checkRoom(key, shareOf(principal.access, this.#limits.maxConnectionsPerPrincipal));
    this.#entries.set(id, { key, connection });
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.#stopSweeping ??= every(SWEEP_MS, () => {
      for (const entry of this.#entries.values()) entry.connection.sweep();
    });
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    const count = (this.#counts.get(entry.key) ?? 1) - 1;
    if (count === 0) this.#counts.delete(entry.key);
    else this.#counts.set(entry.key, count);
    if (this.#entries.size > 0) return;
    this.#stopSweeping?.();
    this.#stopSweeping = undefined;
  }

  /** Returns the connection with this id, if it belongs to the principal. */
  find(id: string, principal: Principal): HttpConnection | undefined {
    const entry = this.#entries.get(id);
    return entry?.key === principalKey(principal) ? entry.connection.http : undefined;
  }

  /** Ends all connections and refuses new ones. */
  close(): Promise<void> {
    this.#closing ??= Promise.all(Array.from(this.#entries.values(), ({ connection }) => connection.close())).then(
      () => {},
    );
    return this.#closing;
  }

  #checkRoom(key: string, maxOfPrincipal: number): void {
    const { maxConnections } = this.#limits;
    const headers = { "retry-after": "5" };
    if (this.#closing !== undefined) throw new Refusal(503, "The server is shutting down.", { headers });
    if (this.#entries.size >= maxConnections) {
      throw new Refusal(503, `The server has reached its limit of ${maxConnections} connections (maxConnections).`, {
        limit: "maxConnections",
        headers,
      });
    }
    if ((this.#counts.get(key) ?? 0) >= maxOfPrincipal) {
      const message = `The caller has reached its limit of ${maxOfPrincipal} connections (maxConnectionsPerPrincipal): close some.`;
      throw new Refusal(429, message, { limit: "maxConnectionsPerPrincipal", headers });
    }
  }
}

const SWEEP_MS = 1_000;

/** Creates a connection id with 144 random bits. */
export function newConnectionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
