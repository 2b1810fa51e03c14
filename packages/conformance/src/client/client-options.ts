/** Options that make the client under test perform the actions of a scenario, and its time limits. */
export interface ClientDriving {
  /** Text for the client's stdin, written as soon as it runs. */
  readonly stdin?: string;
  /** Whether stdin ends after {@link stdin}; otherwise it stays open until the scenario ends. @defaultValue false */
  readonly closeStdin?: boolean;
  /** The client's prompt to the agent, for the placeholder in its command. @defaultValue "Say hello." */
  readonly prompt?: string;
  /** A signal that makes the client cancel the running turn, `SIGINT` for most. */
  readonly cancelSignal?: string;
  /** A line for stdin that makes the client cancel the running turn. */
  readonly cancelStdin?: string;
  /** A line for stdin that decides a permission request, for clients that prompt their user. */
  readonly permissionStdin?: string;
  /** The time limit of each step (start an agent, prompt, respond, exit), in milliseconds. @defaultValue 5000 */
  readonly stepTimeoutMs?: number;
  /** How long to wait for messages that must not come, in milliseconds. @defaultValue 300 */
  readonly quietMs?: number;
}

/** The defaults of {@link ClientDriving}. */
export const clientDrivingDefaults = { prompt: "Say hello.", stepTimeoutMs: 5_000, quietMs: 300 } as const;
