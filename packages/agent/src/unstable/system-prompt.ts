/**
 * The instructions of a client for a session: `append` adds the text to the agent's own instructions, with the same
 * precedence; `override` replaces them, but not the tools and permissions.
 *
 * @experimental
 */
export interface SystemPrompt {
  readonly mode: "append" | "override";
  readonly text: string;
}
