import type { ScenarioContext } from "../scenario.js";
import type { AgentSetup } from "./agent-setup.js";
import type { ClientFacts } from "./client-facts.js";
import type { ClientDriving } from "./client-options.js";
import type { ClientRun } from "./client-run.js";
import type { Host } from "./host.js";
import type { Turn } from "./turn.js";

/** The context of a client scenario. */
export interface ClientScenarioContext extends ScenarioContext {
  /** The facts about the client from a plain conversation. */
  readonly facts: ClientFacts;
  readonly driving: ClientDriving & { readonly stepMs: number; readonly quietMs: number };
  readonly host: Host;
  /** Starts a fresh client, once, with an agent that is set up like this. */
  start(setup?: AgentSetup, options?: { readonly stderrBytes?: number }): Promise<ClientRun>;
  /** Ends the scenario without a verdict unless the client advertises the capability. */
  needsCapability(path: string): void;
  /** Starts a client and waits for its first prompt. Skips when this client never prompts. */
  turn(setup?: AgentSetup): Promise<Turn>;
  /** The client that {@link start} or {@link turn} has started. */
  readonly run: ClientRun;
  /**
   * Ends the turn, then checks that the client continues as after a plain turn: it responds until then, and exits by
   * itself, with the same exit code, if it does so after a plain turn.
   */
  survived(turn: Turn, requirement: string, after: string): Promise<void>;
  /**
   * Checks that the client exits after a turn that went wrong. This only applies to a client that exits by
   * itself after a plain turn; it has to exit here too, with any code.
   */
  settles(requirement: string, sent: string): Promise<void>;
}
