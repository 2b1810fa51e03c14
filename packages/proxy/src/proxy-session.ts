/** A session, as far as a proxy saw it. */
export interface ProxySession {
  readonly id: string;
  /** The folder of the session; `undefined` if the proxy did not see how the session was opened. */
  readonly cwd: string | undefined;
  readonly additionalDirectories: readonly string[];
  /** How the session was opened on this connection; `"unknown"` if the proxy did not see it. */
  readonly origin: "new" | "load" | "resume" | "unknown";
  /**
   * Whether no prompt was forwarded in this session. It is `false` for every session that was not created on this
   * connection, because its history has prompts.
   */
  readonly isFirstPrompt: boolean;
  /**
   * Whether the proxy itself has created the session, by a request `session/new` to `message.agent`. The client never
   * sees such a session: neither its updates and requests nor its entry in `session/list`.
   */
  readonly isPrivate: boolean;
}
