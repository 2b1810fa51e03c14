import type { Diagnostic } from "@acp-kit/protocol";
import type { AgentLink } from "../agent-link.js";
import type { Login } from "../authentication/login.js";
import type { PermissionBroker } from "../permissions/permission-broker.js";
import type { SessionHost } from "../session-control.js";
import type { SessionRegistry } from "../session-registry.js";
import { canSteer } from "./steer.js";

/** The objects and settings from which {@link sessionHost} creates a host. */
export interface SessionHostOptions
  extends Pick<SessionHost, "onUpdate" | "concurrentPrompts" | "transcript" | "limits" | "attach" | "onClosing"> {
  readonly report: (diagnostic: Diagnostic) => void;
  readonly link: AgentLink;
  readonly login: Login;
  readonly sessions: SessionRegistry;
  readonly permissions: PermissionBroker;
}

/**
 * Creates the object through which a client's sessions call the client and read its settings. Each function of the
 * object uses the connection that is current when the function is called.
 */
export function sessionHost({ link, login, sessions, permissions, ...options }: SessionHostOptions): SessionHost {
  return {
    ...options,
    get peer() {
      return link.current.peer;
    },
    backlog: {
      add: (key, size) => link.current.peer.connection.backlog.add(key, size),
      remove: (key, size) => link.current.peer.connection.backlog.remove(key, size),
    },
    withLogin: (run, mayRepeat) => login.run(run, mayRepeat),
    onTurnCancelling: (sessionId) => link.current.requests.cancel(sessionId),
    onTurnEnded: (sessionId) => permissions.cancel("turn_ended", sessionId),
    forget: (sessionId) => {
      sessions.forget(sessionId);
      link.current.requests.close(sessionId);
    },
    get canSteer() {
      return canSteer(link.current.response);
    },
  };
}
