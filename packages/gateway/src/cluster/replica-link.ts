/**
 * Sends messages directly between the replicas of one engine. Messages that the link can't carry go through the engine.
 *
 * To create one, use `replicaLink` of `@acp-kit/gateway/node`. Each gateway has its own link.
 */
export interface ReplicaLink {
  /** The address at which other replicas reach this one. It is part of the replica's id, and thus of its leases. */
  readonly address: string;
  /**
   * Starts to pass messages to `onMessage`; `id` is the id of this replica. Messages of one sender arrive in order; a
   * message may arrive twice.
   */
  open(id: string, onMessage: (message: string) => void): void;
  /** Sends a message to the replica with this id. Resolves with `false` if no receipt arrived. Never rejects. */
  send(id: string, address: string, message: string): Promise<boolean>;
}

/** Creates the id of a replica: a random id, followed by the address of the replica's link if it has a link. */
export function replicaIdAt(randomId: string, link: ReplicaLink | undefined): string {
  return link === undefined ? randomId : `${randomId}@${link.address}`;
}

/** Returns the address in the id of a replica, or `undefined` if the id contains none. */
export function addressOfReplica(id: string): string | undefined {
  const at = id.indexOf("@");
  return at === -1 ? undefined : id.slice(at + 1);
}
