/** A session that a model of an engine's server stores. */
export interface StoredSession {
  readonly sessionId: string;
  /** The epoch of the newest lease. */
  readonly epoch: number;
  /** The id of the replica that holds the lease. */
  readonly holder: string | undefined;
  readonly last: { readonly seq: number; readonly epoch: number };
}

/** The part of a model of an engine's server that failovers use. */
export interface ModelServer {
  /** Copies all data. The returned function replaces the data by the copy. Subscriptions stay. */
  copy(): () => void;
  readonly sessions: readonly StoredSession[];
}
