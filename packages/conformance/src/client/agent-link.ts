/**
 * The agent's end of the connection: raw bytes to and from the client under test. Bytes, because many scenarios send invalid messages.
 */
export interface AgentLink {
  /** The arguments that the client added to the agent's command; empty, unless it changed the command. */
  readonly extraArguments: readonly string[];
  /** Writes to the agent's stdout, which the client reads. */
  write(bytes: Uint8Array): void;
  /** Ends the agent as a process that exits by itself. */
  exit(): void;
  /** Kills the agent at once. */
  crash(): void;
  /** Calls back with the bytes that the client writes to the agent's stdin, and once when the client closes it. */
  listen(listener: AgentLinkListener): void;
}

/** Callbacks for the agent's stdin. */
export interface AgentLinkListener {
  data(bytes: Uint8Array): void;
  end(): void;
}
