import type { SpawnAgentOptions } from "@acp-kit/stdio/node";
import type { AgentQuirks } from "../../quirks/index.js";

/** Where a name was found. */
export type AgentOrigin = "settings" | "installed" | "editor" | "path";

/** Who an agent is. */
export interface AgentIdentity {
  /** The name that was resolved; for an agent of the registry, its id. */
  readonly id: string;
  readonly name: string;
  /**
   * - `settings`: the user's own file of agents.
   * - `installed`: installed by this package.
   * - `editor`: the settings of an editor.
   * - `path`: a program on the `PATH`.
   */
  readonly origin: AgentOrigin;
  /** The version, if known without starting it. */
  readonly version?: string;
  /** The settings file that it is from. */
  readonly file?: string;
  /** The measured quirks of this agent, if any. */
  readonly quirks?: AgentQuirks;
  /** The user's own settings for sessions. */
  readonly permissions?: string;
  readonly model?: string;
  readonly mode?: string;
  /** What the user should know, such as a Node that is too old. */
  readonly notes: readonly string[];
}

/** What `spawnAgent` takes to start an agent, and who it is. */
export interface ResolvedAgent extends SpawnAgentOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly agent: AgentIdentity;
}
