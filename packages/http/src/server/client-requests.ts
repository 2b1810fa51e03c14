import type { RequestId } from "@acp-kit/jsonrpc";
import { createsSession } from "../wire/message-kind.js";

/** The members of a client's request that determine the stream of its response. */
export interface ClientRequest {
  readonly method: string;
  readonly sessionId: string | undefined;
  /** A hash of the request's text. It identifies a repeated POST. */
  readonly hash: string;
}

/** How long a request is remembered after its response, in milliseconds. A client repeats a POST within this time. */
const RETRY_WINDOW_MS = 30_000;
const MAX_RECENT = 1_024;

/**
 * The requests of one client, by id: open requests, and requests that got their response in the last 30 seconds.
 *
 * A client repeats a POST after a network error, with the same id and text. The server acknowledges the repeated POST
 * and does not execute it again.
 */
export class ClientRequests {
  readonly #open = new Map<RequestId, ClientRequest>();
  readonly #recent = new Map<RequestId, ClientRequest & { readonly until: number }>();

  get size(): number {
    return this.#open.size;
  }

  /** Whether an open request creates a session. The client doesn't know the id of that session yet. */
  get createsSession(): boolean {
    for (const { method } of this.#open.values()) if (createsSession(method)) return true;
    return false;
  }

  /** `new`: not received before. `repeated`: received with the same text. `conflict`: another request is open. */
  judge(id: RequestId, hash: string): "new" | "repeated" | "conflict" {
    const open = this.#open.get(id);
    if (open !== undefined) return open.hash === hash ? "repeated" : "conflict";
    const recent = this.#recent.get(id);
    return recent !== undefined && recent.hash === hash && performance.now() < recent.until ? "repeated" : "new";
  }

  add(id: RequestId, request: ClientRequest): void {
    this.#open.set(id, request);
  }

  /** Returns the request with this id, if it got its response in the last 30 seconds. */
  settled(id: RequestId): ClientRequest | undefined {
    return this.#recent.get(id);
  }

  /** Removes and returns the open request that a response settles, or returns `undefined` if there is none. */
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

  /** Removes settled requests after `RETRY_WINDOW_MS`, so that an idle connection keeps none. */
  sweep(): void {
    const now = performance.now();
    for (const [id, { until }] of this.#recent) {
      if (until > now) return; // later entries expire later
      this.#recent.delete(id);
    }
  }
}

/** Returns the length and FNV-1a hash of a body. All are of one client, which gains nothing from a collision. */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `${text.length}:${(hash >>> 0).toString(36)}`;
}
