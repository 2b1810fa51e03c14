/**
 * The agent's end of the connection: raw bytes to and from the client under test. Bytes, because many scenarios send invalid messages.
 */
export interface AgentLink {
  /** The words that the client put behind our command; empty, unless it changed the command. */
  readonly extraArguments: readonly string[];
  /** Writes to what the client reads as the agent's stdout. */
  write(bytes: Uint8Array): void;
  /** The agent ends by itself, as a process does whose work is done. */
  exit(): void;
  /** The agent dies at once. */
  crash(): void;
  /** Calls back for what the client writes to the agent's stdin, and once when it has closed it. */
  listen(listener: AgentLinkListener): void;
}

/** What happens on the agent's stdin. */
export interface AgentLinkListener {
  data(bytes: Uint8Array): void;
  end(): void;
}
