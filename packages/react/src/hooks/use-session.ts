import type { Session } from "@acp-kit/client";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import { useEffect } from "react";
import { useAgentStore } from "../store/agent-context.js";
import { idleAgent, idleSession, type SharedSessionState } from "../store/agent-state.js";
import type { SessionRequest, SharedSession } from "../store/shared-session.js";
import { constant } from "../store/value.js";
import { suspension } from "./use-agent.js";
import { useReadable } from "./use-readable.js";

/** The result of {@link useSession}: the state of the session, and functions to control it. */
export type UseSession = SharedSessionState & {
  /** Opens the session again after a failure. If this fails too, the state contains the error. */
  readonly retry: () => void;
  /** Closes the session at the agent. Mounting again opens a new one, or the saved one with a `sessionId`. */
  readonly close: () => Promise<void>;
};

const none = constant(idleSession);

/**
 * Opens a session when the component is mounted, and returns its state. Components with equal requests share one
 * session. The session stays open when they unmount; call `close` to close it. If the connection ends, the session is
 * `idle`, and the next connection opens it again. With `undefined`, the hook opens no session.
 *
 * @example
 * ```tsx
 * const { session, status, error, retry } = useSession({ cwd: "/work" });
 * ```
 */
export function useSession(request: SessionRequest | undefined): UseSession {
  if (request !== undefined) checkOptions("useSession", request, optionKinds);
  const store = useAgentStore();
  const entry: SharedSession | undefined = request === undefined ? undefined : store.session(request);
  const state = useReadable(entry?.state ?? none, idleSession);
  useEffect(() => open(entry), [entry]);
  return { ...state, retry: () => open(entry), close: async () => entry?.close() };
}

/**
 * Opens a session and returns it. While the session is being opened, the component suspends. If opening fails, the hook
 * throws the error to the nearest error boundary. If the connection has ended, the hook throws its error, like
 * `useReadyAgent`, until the application connects again. On a server, the hook throws too.
 */
export function useReadySession(request: SessionRequest): Session {
  checkOptions("useReadySession", request, optionKinds);
  const store = useAgentStore();
  const entry = store.session(request);
  const { status, session, error } = useReadable(entry.state, idleSession);
  const agent = useReadable(store.state, idleAgent);
  if (status === "ready") return session;
  if (status === "failed") throw error;
  // Opening the session would start the agent again, perhaps in a loop.
  if (agent.status === "failed" || agent.status === "closed") throw agent.error;
  throw suspension(() => entry.open());
}

const optionKinds: OptionKinds<SessionRequest> = {
  sessionId: "value",
  key: "value",
  cwd: "value!",
  mcpServers: "value",
  additionalDirectories: "value",
  systemPrompt: "value",
  meta: "value",
  options: "value",
  prefer: ["resume", "load"],
};

function open(entry: SharedSession | undefined): void {
  entry?.open().catch(() => {}); // the state has the error
}
