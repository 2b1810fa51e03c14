import type { Scope, SessionKey } from "@acp-kit/gateway/engine";

/**
 * The names of the keys and channels of the engine. Keys of one script have the same hash tag, the part in braces, so
 * that Redis Cluster stores them on one node. The keys of a tenant have a common prefix, so that access rules can refer
 * to them.
 */
export class RedisKeys {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** A hash: the version of the stored format. */
  get format(): string {
    return `${this.#prefix}:format`;
  }

  /** A hash: the record of a session, its lease, and the positions at which its journal begins and ends. */
  session(key: SessionKey): string {
    return `${this.#prefix}:{${sessionTag(key)}}:session`;
  }

  /**
   * A stream: the parts of a journal. A part contains consecutive entries of one append. It has the id
   * `<number of its last entry>-<epoch>` and one field. The field's name is `<number of its first entry>-<total>`. The
   * total is the number of characters of all entries up to the end of the part, including removed entries. The field's
   * value is the texts of the entries, with line ends between them. An entry that contains a line end is a part of its
   * own.
   */
  journal(key: SessionKey): string {
    return `${this.#prefix}:{${sessionTag(key)}}:journal`;
  }

  /** The last epoch of a session that was deleted. */
  deleted(key: SessionKey): string {
    return `${this.#prefix}:{${sessionTag(key)}}:deleted`;
  }

  /** A channel: notifications that the journal has changed. */
  bell(key: SessionKey): string {
    return `${this.#prefix}:{${sessionTag(key)}}:bell`;
  }

  /** A sorted set: the sessions of a scope, by the order of creation. */
  directory(scope: Scope): string {
    return `${this.#prefix}:{${scopeTag(scope)}}:directory`;
  }

  /** A counter: the last used place in the order in which the sessions of a scope were created. */
  places(scope: Scope): string {
    return `${this.#prefix}:{${scopeTag(scope)}}:places`;
  }

  /** A key that exists while a replica is a member. */
  member(replica: string): string {
    return `${this.#prefix}:{${part(replica)}}:member`;
  }

  /** A stream: messages to a replica. */
  mail(replica: string): string {
    return `${this.#prefix}:{${part(replica)}}:mail`;
  }

  /** A channel: notifications that a message to a replica has arrived. */
  mailBell(replica: string): string {
    return `${this.#prefix}:{${part(replica)}}:bell`;
  }
}

const scopeTag = ({ tenant, user }: Scope): string => `${part(tenant)}:${part(user)}`;
const sessionTag = ({ scope, sessionId }: SessionKey): string => `${scopeTag(scope)}:${part(sessionId)}`;

/** Encodes any text without colons and braces. Different texts have different results, even with lone surrogates. */
function part(text: string): string {
  return encodeURIComponent(JSON.stringify(text).slice(1, -1));
}
