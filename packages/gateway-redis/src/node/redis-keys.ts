import type { Scope, SessionKey } from "@acp-kit/gateway";

/**
 * The names of everything that the engine keeps in Redis. Keys that one script uses have the same hash tag, the part in braces, so that Redis
 * Cluster keeps them on one node; a tenant's keys have a common prefix, for access rules.
 */
export class RedisKeys {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The format of everything under the prefix. */
  get format(): string {
    return `${this.#prefix}:format`;
  }

  /** A hash: the record of a session, its lease and the ends of its journal. */
  session(key: SessionKey): string {
    return `${this.#prefix}:{${sessionTag(key)}}:session`;
  }

  /** A stream: `<number>-<epoch>` is the id of each entry. */
  journal(key: SessionKey): string {
    return `${this.#prefix}:{${sessionTag(key)}}:journal`;
  }

  /** A channel: something happened in the journal. */
  bell(key: SessionKey): string {
    return `${this.#prefix}:{${sessionTag(key)}}:bell`;
  }

  /** A sorted set: the sessions of a scope by their place. */
  directory(scope: Scope): string {
    return `${this.#prefix}:{${scopeTag(scope)}}:directory`;
  }

  /** The place that was given last in a scope. */
  places(scope: Scope): string {
    return `${this.#prefix}:{${scopeTag(scope)}}:places`;
  }

  /** Exists while a replica is a member. */
  member(replica: string): string {
    return `${this.#prefix}:{${part(replica)}}:member`;
  }

  /** A stream: messages to a replica. */
  mail(replica: string): string {
    return `${this.#prefix}:{${part(replica)}}:mail`;
  }

  /** A channel: a message to a replica arrived. */
  mailBell(replica: string): string {
    return `${this.#prefix}:{${part(replica)}}:bell`;
  }
}

const scopeTag = ({ tenant, user }: Scope): string => `${part(tenant)}:${part(user)}`;
const sessionTag = ({ scope, sessionId }: SessionKey): string => `${scopeTag(scope)}:${part(sessionId)}`;

/** Any text without colons and braces; different for different texts, lone surrogates included. */
function part(text: string): string {
  return encodeURIComponent(JSON.stringify(text).slice(1, -1));
}
