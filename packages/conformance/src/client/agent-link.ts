/** The agent's end of the connection to the client, in bytes: many scenarios send invalid messages. */
export interface AgentLink {
  /** The arguments that the client added to the agent's command; empty if the client did not change the command. */
  readonly extraArguments: readonly string[];
  /** Writes to the agent's stdout, which the client reads. */
  write(bytes: Uint8Array): void;
  /** Ends the agent like a process that exits by itself. */
  exit(): void;
  /** Kills the agent immediately. */
  crash(): void;
  /** Calls `data` with the bytes that the client writes, and `end` once when it closes the agent's stdin. */
  listen(listener: AgentLinkListener): void;
}

/** Callbacks for the agent's stdin. */
export interface AgentLinkListener {
  data(bytes: Uint8Array): void;
  end(): void;
}
