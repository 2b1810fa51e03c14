import type { SpawnAgentOptions } from "@acp-kit/stdio/node";
import type { AgentQuirks } from "../../quirks/index.js";

/** The place where a name was found. */
export type AgentOrigin = "settings" | "installed" | "editor" | "path";

/** The identity of a resolved agent. */
export interface AgentIdentity {
  /** The resolved name; for an agent of the registry, its id. */
  readonly id: string;
  readonly name: string;
  /**
   * - `settings`: the user's settings file.
   * - `installed`: the install store.
   * - `editor`: the settings of an editor.
   * - `path`: a program on the `PATH`.
   */
  readonly origin: AgentOrigin;
  /** The version, if known without starting the agent. */
  readonly version?: string;
  /** The path of the settings file that defines the agent or changes its settings. */
  readonly file?: string;
  /** The measured quirks of this agent, if any. */
  readonly quirks?: AgentQuirks;
  /** The value of `permissions` in the user's settings for this agent: how `acp-kit` decides permission requests. */
  readonly permissions?: string;
  readonly model?: string;
  readonly mode?: string;
  /** Warnings for the user, such as a Node that is too old. */
  readonly notes: readonly string[];
}

/** The options with which `spawnAgent` starts an agent, and the agent's identity. */
export interface ResolvedAgent extends SpawnAgentOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly agent: AgentIdentity;
}
