import type { Membership } from "../engine/engine.js";
import { addressOfReplica, type ReplicaLink } from "./replica-link.js";

/**
 * Sends messages to other replicas: over the replica link if both replicas have a link, otherwise through the engine.
 */
export class Post {
  readonly #membership: Membership;
  readonly #link: ReplicaLink | undefined;

  constructor(membership: Membership, link: ReplicaLink | undefined) {
    this.#membership = membership;
    this.#link = link;
  }

  /** The id of this replica. */
  get id(): string {
    return this.#membership.id;
  }

  /** Sends a message, which may arrive twice. Resolves with `false` if there is no such replica now. */
  async send(replica: string, message: string): Promise<boolean> {
    const address = addressOfReplica(replica);
    if (address !== undefined && (await this.#link?.send(replica, address, message)) === true) return true;
    return this.#membership.send(replica, message);
  }
}
