import type { ScenarioContext } from "../scenario.js";
import type { AgentSetup } from "./agent-setup.js";
import type { ClientFacts } from "./client-facts.js";
import type { ClientDriving } from "./client-options.js";
import type { ClientRun } from "./client-run.js";
import type { Host } from "./host.js";
import type { Turn } from "./turn.js";

/** The context of a client scenario. */
export interface ClientScenarioContext extends ScenarioContext {
  /** The facts about the client from a first conversation, in which the scripted agent kept every rule. */
  readonly facts: ClientFacts;
  readonly driving: ClientDriving & { readonly stepTimeoutMs: number; readonly quietMs: number };
  readonly host: Host;
  /** Starts a fresh client with a scripted agent that has this setup. A scenario calls this once. */
  start(setup?: AgentSetup, options?: { readonly stderrBytes?: number }): Promise<ClientRun>;
  /** Skips the scenario unless the client advertises the capability. */
  needsCapability(path: string): void;
  /** Starts a client and waits for its first prompt. The scenario is inconclusive if this client never prompts. */
  turn(setup?: AgentSetup): Promise<Turn>;
  /** The client that {@link start} or {@link turn} has started. */
  readonly run: ClientRun;
  /**
   * Checks that the client still responds. Then ends the turn, by responding to the prompt. If the client exits by
   * itself after a turn in which nothing unusual happens (a plain turn), it must exit after this turn too, with the
   * same code.
   */
  survived(turn: Turn, requirement: string, after: string): Promise<void>;
  /**
   * Checks that the client exits, with any code, after a turn with an unusual end. Skips the scenario if the client
   * does not exit by itself after a plain turn.
   */
  settles(requirement: string, sent: string): Promise<void>;
}
