import type { ToolCallChange } from "@acp-kit/agent";
import type { ToolKind } from "@acp-kit/types";

/**
 * Describes how the client shows the calls of a tool. Absent members have defaults: the name or title of the tool, the
 * kind that its name suggests, the output as text.
 *
 * @example
 * ```ts
 * const edit: ToolView = {
 *   input: ({ path, newText }: Edit) => ({
 *     title: `Edit ${path}`,
 *     locations: [{ path }],
 *     content: [diff({ path, newText })],
 *   }),
 * };
 * ```
 */
export interface ToolView {
  readonly kind?: ToolKind;
  /** Returns the content to show when the tool's input is complete, before the permission request. */
  input?(input: never): ToolCallChange;
  /** Returns the content to show for an output, also a preliminary one. `content` replaces earlier content. */
  output?(output: never, input: never): ToolCallChange;
}

/** The tool views (the way in which the client shows calls of a tool), by the tool's name. */
export type ToolViews = Readonly<Record<string, ToolView>>;
