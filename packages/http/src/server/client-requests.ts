import type { RequestId } from "@acp-kit/jsonrpc";
import { createsSession } from "../wire/message-kind.js";

/** A request of the client, as far as its response is routed by it. */
export interface ClientRequest {
  readonly method: string;
  readonly sessionId: string | undefined;
  /** Identifies the text of the request, for a POST that is sent again. */
  readonly hash: string;
}

/** How long a response makes its request known: a client retries a POST within this time. */
const RETRY_WINDOW_MS = 30_000;
const MAX_RECENT = 1_024;

/**
 * The requests of one client: open ones, by id, and those that got their response a short time ago.
 *
 * A POST that is sent again after a network error has the id and the text of one that was received; it is acknowledged and not executed again.
 */
export class ClientRequests {
  readonly #open = new Map<RequestId, ClientRequest>();
  readonly #recent = new Map<RequestId, ClientRequest & { readonly until: number }>();

  get size(): number {
    return this.#open.size;
  }

  /** The client waits for a session whose id it does not know yet. */
  get createsSession(): boolean {
    for (const { method } of this.#open.values()) if (createsSession(method)) return true;
    return false;
  }

  /** `new`: not received before. `repeated`: received, the same text. `conflict`: another request with this id is open. */
  judge(id: RequestId, hash: string): "new" | "repeated" | "conflict" {
    const open = this.#open.get(id);
    if (open !== undefined) return open.hash === hash ? "repeated" : "conflict";
    const recent = this.#recent.get(id);
    return recent !== undefined && recent.hash === hash && performance.now() < recent.until ? "repeated" : "new";
  }

  add(id: RequestId, request: ClientRequest): void {
    this.#open.set(id, request);
  }

  /** The request that has got its response a short time ago. */
  settled(id: RequestId): ClientRequest | undefined {
    return this.#recent.get(id);
  }

  /** The request that a response settles; `undefined` when none is open. */
  settle(id: RequestId): ClientRequest | undefined {
    const request = this.#open.get(id);
    if (request === undefined) return undefined;
    this.#open.delete(id);
    this.#recent.delete(id);
    this.#recent.set(id, { ...request, until: performance.now() + RETRY_WINDOW_MS });
    if (this.#recent.size > MAX_RECENT) {
      const oldest = this.#recent.keys().next();
      if (!oldest.done) this.#recent.delete(oldest.value);
    }
    return request;
  }

  /** Forgets answered requests whose time is over, so that an idle connection keeps none. */
  sweep(): void {
    const now = performance.now();
    for (const [id, { until }] of this.#recent) {
      if (until > now) return; // in order of time
      this.#recent.delete(id);
    }
  }
}

/** A short text that differs for different bodies: length and FNV-1a. Both come from one client, which has no reason to forge a collision. */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `${text.length}:${(hash >>> 0).toString(36)}`;
}
