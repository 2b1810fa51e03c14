/**
 * The direct way between the replicas of one engine. Messages that it can't carry go through the engine.
 *
 * Made by `replicaLink` of `@acp-kit/gateway/node`. A link belongs to one gateway.
 */
export interface ReplicaLink {
  /** Where other replicas reach this one. It is a part of the replica's id, and so of its leases. */
  readonly address: string;
  /** Receives messages that are meant for the replica with this id, in the order in which one replica sent them; one may arrive twice. */
  open(id: string, onMessage: (message: string) => void): void;
  /** Sends a message to the replica with this id. `false` if it has not arrived as far as is known. Never rejects. */
  send(id: string, address: string, message: string): Promise<boolean>;
}

/** The id of a replica that others reach at an address. */
export function replicaIdAt(randomId: string, link: ReplicaLink | undefined): string {
  return link === undefined ? randomId : `${randomId}@${link.address}`;
}

/** The address in the id of a replica; `undefined` if it has none. */
export function addressOfReplica(id: string): string | undefined {
  const at = id.indexOf("@");
  return at === -1 ? undefined : id.slice(at + 1);
}
