import { decodeLoadSessionRequest, decodeResumeSessionRequest } from "@acp-kit/types/decode";
import type { AgentLink } from "../agent-link.js";
import type { Login } from "../authentication/login.js";
import { checkSent } from "../check-sent.js";
import type { ClientPeer } from "../client-peer.js";
import type { UpdateListener } from "../connect-options.js";
import { isNotFound } from "../errors.js";
import type { Session, SessionOrigin } from "../session.js";
import type { OpeningResponse, SessionControl, SessionHost } from "../session-control.js";
import { SessionLostError } from "../session-lost-error.js";
import type { SessionRegistry } from "../session-registry.js";
import { OpeningOrder } from "./opening-order.js";
import { type SessionHostOptions, sessionHost } from "./session-host.js";
import type { OptionValues } from "./session-options.js";
import { type SessionSetup, sessionParams } from "./session-params.js";

/** Options for opening a session. */
export interface OpenOptions {
  /** Receives all updates of the session, including the history of a loaded session and updates that arrive before the response. */
  readonly onUpdate?: UpdateListener;
  /**
   * Values of session options that the client sets after the session is open, such as a stored
   * `session.options.chosen`. The client skips values that the agent no longer offers, and reports the diagnostic
   * `option_not_applied` for each.
   */
  readonly options?: OptionValues;
  readonly signal?: AbortSignal;
}

/** Options of `openSession`. */
export interface OpenSessionOptions extends OpenOptions {
  /**
   * The method that the client tries first if the agent supports both: `"resume"` (the default) opens the session
   * without its history; with `"load"`, the agent replays the history.
   */
  readonly prefer?: "resume" | "load";
}

/** Options of a {@link SessionOpener}. */
export interface SessionOpenerOptions extends Omit<SessionHostOptions, "attach" | "onClosing"> {
  /** Whether the client sets the chosen options again after a session was opened again. */
  readonly reapplyOptions: boolean;
}

type SavedSetup = SessionSetup & { readonly sessionId: string };

/** Opens new sessions and saved sessions, and opens sessions again after the agent was restarted. */
export class SessionOpener {
  readonly #link: AgentLink;
  readonly #sessions: SessionRegistry;
  readonly #login: Login;
  readonly #reapplies: boolean;
  /** The host that is passed to every session. */
  readonly #host: SessionHost;
  readonly #order = new OpeningOrder();

  constructor({ reapplyOptions, ...options }: SessionOpenerOptions) {
    const { link, sessions, login } = options;
    this.#host = sessionHost({
      ...options,
      attach: (sessionId) => this.attach(sessionId),
      onClosing: (sessionId, closing) => this.#order.add(sessionId, closing),
    });
    this.#link = link;
    this.#sessions = sessions;
    this.#login = login;
    this.#reapplies = reapplyOptions;
  }

  new(setup: SessionSetup, options: OpenOptions): Promise<Session> {
    return this.#open(async (peer) => {
      const params = sessionParams(peer, "session/new", setup);
      let control: SessionControl;
      const onResult = (response: OpeningResponse & { readonly sessionId: string }): void => {
        control = this.#opened("new", { sessionId: response.sessionId, ...setup }, response, options);
      };
      const request = peer.request("session/new", params, { ...signalOf(options), onResult });
      return request.then(() => this.#applied(control, options));
    });
  }

  resume(saved: SavedSetup, options: OpenOptions): Promise<Session> {
    return this.#order.open(saved.sessionId, options, () => this.#resume(saved, options));
  }

  load(saved: SavedSetup, options: OpenOptions): Promise<Session> {
    return this.#order.open(saved.sessionId, options, () => this.#load(saved, options));
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
    return this.#order.open(sessionId, options, () => {
      const open = this.#sessions.control(sessionId);
      return open === undefined ? this.#any({ sessionId, ...setup }, options) : this.#joined(open, options);
    });
  }

  /**
   * Opens a session again over a new connection, with `session/resume` if possible, else with `session/load`. The
   * session's listeners don't get the history again.
   */
  attach(sessionId: string): Promise<void> | undefined {
    const again = (): Promise<void> | undefined =>
      this.#sessions.attach(sessionId, this.#link.generation, (control, setup) => this.#again(control, setup));
    const ready = this.#link.ready();
    return ready === undefined ? again() : ready.then(again);
  }

  /** Runs a call that opens a session, and logs in if the agent requires it. */
  #open(open: (peer: ClientPeer) => Promise<Session>): Promise<Session> {
    return this.#login.run(() =>
      this.#sessions.opening(async () => {
        await this.#link.ready();
        return open(this.#link.current.peer);
      }),
    );
  }

  #resume(saved: SavedSetup, options: OpenOptions): Promise<Session> {
    return this.#open(async (peer) => {
      const { sessionId, ...setup } = saved;
      const params = { sessionId, ...sessionParams(peer, "session/resume", setup) };
      checkSent("session/resume", decodeResumeSessionRequest, params);
      let control: SessionControl;
      const onResult = (response: OpeningResponse): void => {
        control = this.#opened("resumed", saved, response, options);
      };
      const request = peer.request("session/resume", params, { ...signalOf(options), onResult });
      return request.then(() => this.#applied(control, options));
    });
  }

  #load({ sessionId, ...setup }: SavedSetup, options: OpenOptions): Promise<Session> {
    return this.#open(async (peer) => {
      const params = { sessionId, ...sessionParams(peer, "session/load", setup) };
      checkSent("session/load", decodeLoadSessionRequest, params);
      const isKnown = this.#sessions.get(sessionId) !== undefined;
      const control = this.#sessions.open(sessionId, this.#host);
      if (!isKnown) this.#sessions.remember(sessionId, setup, this.#link.generation); // the agent can send requests before its response
      const { onUpdate } = options;
      const stop = onUpdate && control.session.onUpdate(onUpdate);
      control.catchUp();
      // If the session was open, its listeners have already received the history, so only the new listener gets it.
      control.setReplay(isKnown ? (onUpdate ?? (() => {})) : "listeners");
      try {
        const onResult = (response: OpeningResponse): void => this.#loaded(control, setup, response);
        await peer.request("session/load", params, { ...signalOf(options), onResult });
      } catch (error) {
        control.endReplay();
        stop?.();
        if (!isKnown) this.#sessions.forget(sessionId);
        throw error;
      }
      return this.#applied(control, options);
    });
  }

  async #any(saved: SavedSetup, options: OpenSessionOptions): Promise<Session> {
    await this.#link.ready();
    const { peer } = this.#link.current;
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

  async #joined(control: SessionControl, options: OpenOptions): Promise<Session> {
    if (options.onUpdate !== undefined) control.session.onUpdate(options.onUpdate);
    await this.#login.run(async () => this.attach(control.session.sessionId));
    return this.#applied(control, options);
  }

  // The responses that open a session are applied in `onResult`, because the message after the response may be an update
  // or a request of the session.

  #opened(
    origin: SessionOrigin,
    { sessionId, ...setup }: SavedSetup,
    response: OpeningResponse,
    options: OpenOptions,
  ): SessionControl {
    const control = this.#sessions.open(sessionId, this.#host);
    control.onOpened(origin, response);
    this.#sessions.remember(sessionId, setup, this.#link.generation);
    if (options.onUpdate !== undefined) control.session.onUpdate(options.onUpdate);
    control.catchUp();
    return control;
  }

  #loaded(control: SessionControl, setup: SessionSetup, response: OpeningResponse): void {
    control.onOpened("loaded", response);
    this.#sessions.remember(control.sessionId, setup, this.#link.generation);
    control.endReplay(response);
  }

  async #applied({ session, settings }: SessionControl, { options }: OpenOptions): Promise<Session> {
    if (this.#reapplies) await settings.reapply();
    if (options !== undefined) await settings.apply(options);
    return session;
  }

  async #again(control: SessionControl, setup: SessionSetup): Promise<void> {
    const { peer } = this.#link.current;
    const { sessionId } = control.session;
    if (peer.offers("agentCapabilities.sessionCapabilities.resume")) {
      const params = { sessionId, ...sessionParams(peer, "session/resume", setup) };
      const onResult = (response: OpeningResponse): void => {
        control.onOpened("resumed", response);
        this.#sessions.remember(sessionId, setup, this.#link.generation);
      };
      await peer.request("session/resume", params, { onResult });
    } else if (peer.offers("agentCapabilities.loadSession")) {
      const params = { sessionId, ...sessionParams(peer, "session/load", setup) };
      control.setReplay("none");
      try {
        const onResult = (response: OpeningResponse): void => this.#loaded(control, setup, response);
        await peer.request("session/load", params, { onResult });
      } catch (error) {
        control.endReplay();
        throw error;
      }
    } else {
      throw new SessionLostError(sessionId);
    }
    if (this.#reapplies) await control.settings.reapply();
  }
}

function signalOf({ signal }: OpenOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
