import { Budget, BudgetShares, shareOf } from "@acp-kit/jsonrpc/internal";
import { type Principal, principalKey } from "./principal.js";

/** A principal may hold as many bytes as this number of connections. An observer may hold half of them. */
const CONNECTIONS_OF_PRINCIPAL = 2;

/** All principals together may hold as many bytes as this number of connections. */
const CONNECTIONS_OF_SERVER = 8;

/**
 * The budgets of a principal or a connection. They are separate, so that a client that reads nothing does not prevent
 * that the server receives further messages, for example the cancellation of a turn.
 */
export interface Memory {
  /** For bodies, and for messages that are waiting to be handled. */
  readonly received: Budget;
  /** For streams, and for messages that clients have not read. */
  readonly queued: Budget;
}

/** The budgets of a principal. Call `leave` when nothing is stored for the caller any more. */
export interface PrincipalMemory extends Memory {
  /** Creates the budgets of one connection, which are parts of those of its principal. */
  readonly ofConnection: () => Memory;
  readonly leave: () => void;
}

/** The memory that a server uses for its clients. It is bounded for each connection, each principal and the server. */
export class ServerMemory {
  readonly #maxOfConnection: number;
  readonly #received: BudgetShares;
  readonly #queued: BudgetShares;

  /** @param maxOfConnection see `maxQueuedBytes` of `ServerLimits`. */
  constructor(maxOfConnection: number) {
    this.#maxOfConnection = maxOfConnection;
    this.#received = new BudgetShares(CONNECTIONS_OF_SERVER * maxOfConnection);
    this.#queued = new BudgetShares(CONNECTIONS_OF_SERVER * maxOfConnection);
  }

  /** Returns the budgets of a principal. */
  enter(principal: Principal): PrincipalMemory {
    const key = principalKey(principal);
    const max = shareOf(principal.access, CONNECTIONS_OF_PRINCIPAL * this.#maxOfConnection);
    const received = this.#received.enter(key, max);
    const queued = this.#queued.enter(key, max);
    return {
      received,
      queued,
      ofConnection: () => ({
        received: new Budget(this.#maxOfConnection, received),
        queued: new Budget(this.#maxOfConnection, queued),
      }),
      leave: () => {
        this.#received.leave(key);
        this.#queued.leave(key);
      },
    };
  }
}
