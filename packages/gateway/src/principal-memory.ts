import { Budget, shareOf } from "@acp-kit/jsonrpc/internal";
import { type GatewayPrincipal, principalName } from "./principal.js";
import { ReadRoom } from "./read-room.js";

/** A principal may hold as many bytes as this number of connections. An observer may hold half of them. */
const CONNECTIONS_OF_PRINCIPAL = 2;

/** All principals together may hold as many bytes as this number of connections. */
const CONNECTIONS_OF_REPLICA = 8;

/** The memory that a replica uses for one principal. Call `leave` when nothing is stored for the caller any more. */
export interface MemoryShare {
  /** For requests without a response, attachments and queued prompts. */
  readonly received: Budget;
  /** For parts of journals that clients have not read. */
  readonly unread: ReadRoom;
  readonly leave: () => void;
}

interface Shared extends Omit<MemoryShare, "leave"> {
  users: number;
}

/**
 * The memory that a replica uses for its principals. It is bounded for each connection, each principal and the replica.
 */
export class PrincipalMemory {
  readonly #maxBytes: number;
  readonly #received: Budget;
  readonly #unread: Budget;
  readonly #shares = new Map<string, Shared>();

  /** @param maxBytes see `maxQueuedBytes` of `GatewayLimits`. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#received = new Budget(CONNECTIONS_OF_REPLICA * maxBytes);
    this.#unread = new Budget(CONNECTIONS_OF_REPLICA * maxBytes);
  }

  /** Returns the share of a principal. */
  enter(principal: GatewayPrincipal): MemoryShare {
    const name = principalName(principal);
    const shared = this.#shares.get(name) ?? this.#newShare(principal);
    this.#shares.set(name, shared);
    shared.users += 1;
    let isIn = true;
    const leave = (): void => {
      if (!isIn) return;
      isIn = false;
      shared.users -= 1;
      if (shared.users === 0) this.#shares.delete(name);
    };
    return { received: shared.received, unread: shared.unread, leave };
  }

  #newShare(principal: GatewayPrincipal): Shared {
    const max = shareOf(principal.access, CONNECTIONS_OF_PRINCIPAL * this.#maxBytes);
    const onFreed = (): void => {
      // Another principal may have waited for the room of the replica
      for (const { unread } of [...this.#shares.values()]) unread.admit();
    };
    return {
      received: new Budget(max, this.#received),
      unread: new ReadRoom(new Budget(max, this.#unread), onFreed),
      users: 0,
    };
  }
}
