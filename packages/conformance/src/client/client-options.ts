/** How the client under test is made to do what a scenario needs, and how long it may take. */
export interface ClientDriving {
  /** Typed on the client's stdin as soon as it runs. */
  readonly stdin?: string;
  /** Whether stdin ends after {@link stdin}; otherwise it stays open until the scenario ends. @defaultValue false */
  readonly closeStdin?: boolean;
  /** What the client is to ask the agent, where its command has a place for it. @defaultValue "Say hello." */
  readonly prompt?: string;
  /** A signal that makes the client cancel the running turn, `SIGINT` for most. */
  readonly cancelSignal?: string;
  /** A line typed on stdin that makes the client cancel the running turn. */
  readonly cancelStdin?: string;
  /** A line typed on stdin when the agent asks for a permission, for clients that ask a person. */
  readonly permissionStdin?: string;
  /** How long the client may take for each step: to start an agent, to prompt, to answer, to end. @defaultValue 5000 */
  readonly stepMs?: number;
  /** How long to wait for messages that must not come, in milliseconds. @defaultValue 300 */
  readonly quietMs?: number;
}

/** The values that {@link ClientDriving} has by default. */
export const clientDrivingDefaults = { prompt: "Say hello.", stepMs: 5_000, quietMs: 300 } as const;
