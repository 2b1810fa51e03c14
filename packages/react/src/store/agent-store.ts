import {
  type AgentConnection,
  type AgentSource,
  askUser,
  type ConnectAgentOptions,
  type PermissionQuestion,
  type PermissionRule,
  type Readable,
  type Transport,
} from "@acp-kit/client";
import { connectOptionKinds } from "@acp-kit/client/internal";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import { type AgentState, idleAgent } from "./agent-state.js";
import { type FormRequest, FormRequests } from "./form-requests.js";
import { onNextFrame } from "./next-frame.js";
import { openAgent } from "./open-agent.js";
import { type SessionRequest, SharedSession } from "./shared-session.js";
import { Value } from "./value.js";

/** Options of {@link createAgentStore}: those of `connectAgent`, without permissions and forms. */
export interface AgentStoreOptions extends Omit<ConnectAgentOptions, "permissions" | "elicitation"> {
  /** The rules that decide permission requests before the user is prompted. By default, there are no rules. */
  readonly permissions?: PermissionRule | readonly PermissionRule[];
  /** The time limit and the maximum number of open questions in `usePermissions`. The default is no limit. */
  readonly questions?: Parameters<typeof askUser>[1];
  /** Whether the application uses `useForms`; the client then advertises elicitation. The default is `false`. */
  readonly forms?: boolean;
}

/**
 * A connection to an agent for a user interface: its state, its sessions, and the requests that wait for the user.
 * {@link createAgentStore} creates it, and `AgentProvider` passes it to the hooks.
 */
export interface AgentStore {
  readonly state: Readable<AgentState>;
  /** The permission requests that wait for the user, in the order in which they arrived. */
  readonly permissions: Readable<readonly PermissionQuestion[]>;
  /** The forms and web pages that wait for the user, in the order in which they arrived. */
  readonly forms: Readable<readonly FormRequest[]>;
  /**
   * Connects to the agent, or returns the existing connection. After a failure, or after the connection has ended, a
   * call connects again.
   *
   * @throws the errors of `connectAgent`. The state of the store contains the same error. Also rejects when
   * {@link close} is called before the agent is connected; the state is then `idle`.
   */
  connect(): Promise<AgentConnection>;
  /** Returns the session of a request. Equal requests share one, while it is open or a component shows it. */
  session(request: SessionRequest): SharedSession;
  /** Closes the connection and ends the agent. Never rejects. A later `connect` connects again. */
  close(): Promise<void>;
}

/**
 * The argument of an {@link AgentOpener}, which it passes to `httpAgent` or `webSocketAgent` of `@acp-kit/http`, so
 * that the state of the store is `reconnecting` while the connection is lost.
 */
export interface ConnectionReport {
  readonly onConnectionChange: (change: { readonly is: "lost" | "restored" }) => void;
}

/** A function that returns the transport or the source of an agent. The store calls it for each connection. */
export type AgentOpener = (report: ConnectionReport) => Transport | AgentSource | PromiseLike<Transport | AgentSource>;

/**
 * Creates a store that connects a user interface to an agent. This function opens no connection, so you can call it
 * while a module loads, and on a server. `AgentProvider` calls `connect`, which opens the connection, when it
 * is mounted.
 *
 * @param open returns the transport or source of the agent, such as
 * `(report) => webSocketAgent(url, { token, ...report })`. The store calls it for each connection.
 * @example
 * ```tsx
 * const store = createAgentStore((report) => webSocketAgent("ws://127.0.0.1:8080/acp", report));
 * <AgentProvider store={store}><Chat /></AgentProvider>
 * ```
 */
export function createAgentStore(open: AgentOpener, options: AgentStoreOptions = {}): AgentStore {
  checkOptions("createAgentStore", options, optionKinds);
  const { permissions = [], questions, forms = false, ...rest } = options;
  const user = askUser({}, { concurrency: Number.POSITIVE_INFINITY, ...questions });
  const formRequests = new FormRequests();
  const connectOptions: ConnectAgentOptions = {
    transcript: { schedule: onNextFrame },
    ...rest,
    permissions: [...(Array.isArray(permissions) ? permissions : [permissions as PermissionRule]), user],
    ...(forms && { elicitation: formRequests.handlers }),
  };
  const state = new Value<AgentState>(idleAgent);
  const sessions = new Map<string, SharedSession>();
  let current: Promise<AgentConnection> | undefined;
  let stop = new AbortController();

  const connect = (): Promise<AgentConnection> => {
    if (current !== undefined) return current;
    stop = new AbortController();
    let isLost = false;
    const show = (): void => {
      const { agent } = state.snapshot;
      if (isCurrent() && agent !== undefined)
        state.set({ status: isLost ? "reconnecting" : "ready", agent, error: undefined });
    };
    const onConnectionChange: ConnectionReport["onConnectionChange"] = ({ is }) => {
      isLost = is === "lost";
      show();
    };
    const connecting = openAgent(() => open({ onConnectionChange }), connectOptions, stop);
    current = connecting;
    // After `current`, because a subscriber may call `connect`.
    state.set({ status: "connecting", agent: undefined, error: undefined });
    const isCurrent = (): boolean => current === connecting;
    connecting.then(
      (agent) => {
        if (!isCurrent()) return;
        state.set({ status: isLost ? "reconnecting" : "ready", agent, error: undefined });
        for (const session of [...sessions.values()]) session.onConnected();
        void agent.closed.then((error) => {
          if (!isCurrent()) return;
          current = undefined;
          for (const session of sessions.values()) session.reset();
          state.set({ status: "closed", agent: undefined, error });
        });
      },
      (error: unknown) => {
        if (!isCurrent()) return;
        current = undefined;
        state.set({ status: "failed", agent: undefined, error });
      },
    );
    return connecting;
  };

  return {
    state,
    permissions: user.questions,
    forms: formRequests.list,
    connect,
    session(request) {
      const key = JSON.stringify([request.cwd, request.sessionId ?? null, request.key ?? null]);
      const known = sessions.get(key);
      if (known !== undefined) return known;
      const created = new SharedSession(request, {
        connect,
        onUsed: (session) => {
          if (!sessions.has(key)) sessions.set(key, session);
        },
        onUnused: (session) => {
          if (sessions.get(key) === session) sessions.delete(key);
        },
      });
      sessions.set(key, created);
      return created;
    },
    async close() {
      const closing = current;
      const isConnecting = state.snapshot.status === "connecting";
      current = undefined;
      for (const session of sessions.values()) session.reset();
      if (isConnecting) stop.abort(new Error("AgentStore: close() was called before the agent was connected."));
      state.set(idleAgent);
      try {
        await (await closing)?.close();
      } catch {
        // The attempt to connect failed, so there is no connection to close.
      }
    },
  };
}

const { elicitation: _byForms, ...connectionKinds } = connectOptionKinds;

const optionKinds: OptionKinds<AgentStoreOptions> = { ...connectionKinds, questions: "value", forms: "value" };
