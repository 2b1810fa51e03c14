import { decodeLoadSessionRequest, decodeResumeSessionRequest } from "@acp-kit/types/decode";
import { checkSent } from "../check-sent.js";
import type { ClientPeer } from "../client-peer.js";
import { isNotFound } from "../errors.js";
import type { LiveSession, OpeningResponse } from "./live-session.js";
import type { OpenOptions, OpenSessionOptions, SessionSetup } from "./open-options.js";
import { OpeningOrder } from "./opening-order.js";
import type { Session } from "./session.js";
import type { SessionClient } from "./session-client.js";
import { sessionParams } from "./session-params.js";
import type { Sessions } from "./sessions.js";

type SavedSetup = SessionSetup & { readonly sessionId: string };

/** Opens new sessions and saved sessions. */
export class SessionOpener {
  readonly #client: SessionClient;
  readonly #sessions: Sessions;
  readonly #order = new OpeningOrder();

  constructor(client: SessionClient, sessions: Sessions) {
    this.#client = client;
    this.#sessions = sessions;
  }

  /** Creates a session, by `session/new` or by another method that has further params. */
  new(setup: SessionSetup, options: OpenOptions, method = "session/new" as const, more?: object): Promise<Session> {
    return this.#open(async (peer) => {
      const params = { ...more, ...sessionParams(peer, method, setup) };
      let session: LiveSession;
      const onResult = (response: OpeningResponse & { readonly sessionId: string }): void => {
        session = this.#opened("new", { sessionId: response.sessionId, ...setup }, response, options);
      };
      const request = peer.request(method, params, { ...signalOf(options), onResult });
      return request.then(() => this.#applied(session, options));
    });
  }

  resume(saved: SavedSetup, options: OpenOptions): Promise<Session> {
    return this.#inOrder(saved.sessionId, options, () => this.#resume(saved, options));
  }

  load(saved: SavedSetup, options: OpenOptions): Promise<Session> {
    return this.#inOrder(saved.sessionId, options, () => this.#load(saved, options));
  }

  /**
   * Returns the session if it is already open. Otherwise resumes or loads it, in the preferred order; if neither works,
   * creates a new session.
   */
  any(
    { sessionId, ...setup }: SessionSetup & { readonly sessionId?: string | undefined },
    options: OpenSessionOptions,
  ): Promise<Session> {
    if (sessionId === undefined) return this.new(setup, options);
    return this.#inOrder(sessionId, options, () => {
      const open = this.#sessions.get(sessionId);
      return open === undefined ? this.#any({ sessionId, ...setup }, options) : this.#join(open, options);
    });
  }

  #inOrder(sessionId: string, options: OpenOptions, open: () => Promise<Session>): Promise<Session> {
    const closing = this.#sessions.get(sessionId)?.closing;
    if (closing !== undefined) this.#order.add(sessionId, closing);
    return this.#order.open(sessionId, options, open);
  }

  #open(open: (peer: ClientPeer) => Promise<Session>): Promise<Session> {
    const { link, login } = this.#client;
    return login.run(() =>
      this.#sessions.opening(async () => {
        await link.ready();
        return open(link.current.peer);
      }),
    );
  }

  #resume(saved: SavedSetup, options: OpenOptions): Promise<Session> {
    return this.#open(async (peer) => {
      const { sessionId, ...setup } = saved;
      const params = { sessionId, ...sessionParams(peer, "session/resume", setup) };
      checkSent("session/resume", decodeResumeSessionRequest, params);
      let session: LiveSession;
      const onResult = (response: OpeningResponse): void => {
        session = this.#opened("resumed", saved, response, options);
      };
      const request = peer.request("session/resume", params, { ...signalOf(options), onResult });
      return request.then(() => this.#applied(session, options));
    });
  }

  #load({ sessionId, ...setup }: SavedSetup, options: OpenOptions): Promise<Session> {
    return this.#open(async (peer) => {
      const params = { sessionId, ...sessionParams(peer, "session/load", setup) };
      checkSent("session/load", decodeLoadSessionRequest, params);
      const isKnown = this.#sessions.get(sessionId) !== undefined;
      const session = this.#sessions.open(sessionId, this.#client);
      if (!isKnown) session.remember(setup); // the agent can send requests before its response
      const { onUpdate, signal } = options;
      const stop = onUpdate && session.onUpdate(onUpdate);
      session.state.listeners.catchUp();
      try {
        // If the session was open, its listeners have already received the history, so only the new listener gets it.
        await session.load(params, setup, isKnown ? (onUpdate ?? (() => {})) : "listeners", signal);
      } catch (error) {
        stop?.();
        if (!isKnown) this.#sessions.forget(sessionId);
        throw error;
      }
      return this.#applied(session, options);
    });
  }

  async #any(saved: SavedSetup, options: OpenSessionOptions): Promise<Session> {
    const { link } = this.#client;
    await link.ready();
    const { peer } = link.current;
    const ways: ((saved: SavedSetup, options: OpenOptions) => Promise<Session>)[] = [];
    if (peer.offers("agentCapabilities.sessionCapabilities.resume")) ways.push((...args) => this.#resume(...args));
    if (peer.offers("agentCapabilities.loadSession")) ways.push((...args) => this.#load(...args));
    if (options.prefer === "load") ways.reverse();
    const { sessionId, ...setup } = saved;
    for (const way of ways) {
      try {
        return await way(saved, options);
      } catch (cause) {
        if (!isNotFound(cause)) throw cause;
        peer.report({ code: "session_not_found", message: `The agent doesn't know session ${sessionId}`, cause });
      }
    }
    return this.new(setup, options);
  }

  async #join(session: LiveSession, options: OpenOptions): Promise<Session> {
    if (options.onUpdate !== undefined) session.onUpdate(options.onUpdate);
    await this.#client.login.run(async () => session.attach());
    return this.#applied(session, options);
  }

  /** Called in `onResult`, because the message after the response may be an update or a request of the session. */
  #opened(
    origin: "new" | "resumed",
    { sessionId, ...setup }: SavedSetup,
    response: OpeningResponse,
    { onUpdate }: OpenOptions,
  ): LiveSession {
    const session = this.#sessions.open(sessionId, this.#client);
    session.opened(origin, response, setup);
    if (onUpdate !== undefined) session.onUpdate(onUpdate);
    session.state.listeners.catchUp();
    return session;
  }

  async #applied(session: LiveSession, { options }: OpenOptions): Promise<Session> {
    if (this.#client.reapplyOptions) await session.options.reapply();
    if (options !== undefined) await session.options.apply(options);
    return session;
  }
}

function signalOf({ signal }: OpenOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
