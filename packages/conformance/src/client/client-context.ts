import type { ScenarioContext } from "../scenario.js";
import type { AgentSetup } from "./agent-setup.js";
import type { ClientFacts } from "./client-facts.js";
import type { ClientDriving } from "./client-options.js";
import type { ClientRun } from "./client-run.js";
import type { Host } from "./host.js";
import type { Turn } from "./turn.js";

/** What a scenario about a client has at hand. */
export interface ClientScenarioContext extends ScenarioContext {
  /** What is known of the client from a plain conversation. */
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
   * Ends the turn, then looks whether the client goes on as it does after a plain turn: it answers until then, ends by
   * itself if it does so, with the same exit code.
   */
  survived(turn: Turn, requirement: string, after: string): Promise<void>;
  /**
   * Looks whether the client comes to an end after a turn that went wrong. That shows only in a client that ends by
   * itself after a plain turn; it has to end here too, with whatever code.
   */
  settles(requirement: string, sent: string): Promise<void>;
}
