import type { McpServer } from "@acp-kit/types";
import type { SystemPrompt } from "../unstable/system-prompt.js";
import type { OptionValues } from "./option-list.js";
import type { UpdateListener } from "./session.js";

/**
 * A `cwd` that leaves the folder of a session to the server: a gateway with the option `folder`, such as
 * `acp-kit serve`, replaces the root of the file system by the folder of the user.
 */
export const serverFolder = "/";

/** The working directory of a session, and the MCP servers and additional directories that it uses. */
export interface SessionSetup {
  /**
   * The absolute path of the session's working directory; {@link serverFolder} for the folder that a server chooses.
   */
  readonly cwd: string;
  /**
   * The MCP servers to which the agent should connect; by default none. The client leaves out servers whose transport
   * the agent doesn't support, and reports the diagnostic `mcp_server_left_out` for each.
   */
  readonly mcpServers?: readonly McpServer[];
  /**
   * Additional folders that the session may use, as absolute paths. When a session is loaded or resumed, pass the
   * complete list: the agent does not restore the folders that the session had before.
   */
  readonly additionalDirectories?: readonly string[];
  /**
   * Instructions for the agent, as `systemPrompt` of `@acp-kit/client/unstable` creates them. Opening rejects with
   * `CapabilityError` if the agent did not advertise that it takes them.
   *
   * @experimental
   */
  readonly systemPrompt?: SystemPrompt;
  readonly meta?: Record<string, unknown>;
}

/** Options for opening a session. */
export interface OpenOptions {
  /**
   * Receives all updates of the session, including the history of a loaded session and updates that arrive before the
   * response.
   */
  readonly onUpdate?: UpdateListener;
  /**
   * Values of session options that the client sets after the session is open, such as a stored
   * `session.options.chosen`. The client skips values that the agent no longer offers, and reports the diagnostic
   * `option_not_applied` for each.
   */
  readonly options?: OptionValues;
  readonly signal?: AbortSignal;
}

/** Options of `openSession`. */
export interface OpenSessionOptions extends OpenOptions {
  /**
   * The method that the client tries first if the agent supports both: `"resume"` (the default) opens the session
   * without its history; with `"load"`, the agent replays the history.
   */
  readonly prefer?: "resume" | "load";
}
