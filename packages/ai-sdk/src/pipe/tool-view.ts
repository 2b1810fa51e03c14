import type { ToolCallChange } from "@acp-kit/agent";
import type { ToolKind } from "@acp-kit/types";

/**
 * How the calls of one tool are shown. Omitted members have defaults: the tool's name or title, the kind by its name, the output as
 * text.
 *
 * @example
 * ```ts
 * const edit: ToolView = {
 *   input: ({ path, newText }: Edit) => ({ title: `Edit ${path}`, locations: [{ path }], content: [diff({ path, newText })] }),
 * };
 * ```
 */
export interface ToolView {
  readonly kind?: ToolKind;
  /** Returns the content to show when the input is complete, before the permission request. */
  input?(input: never): ToolCallChange;
  /** Returns the content to show for an output, preliminary ones included. `content` replaces earlier content. */
  output?(output: never, input: never): ToolCallChange;
}

/** The views of tools, by name. */
export type ToolViews = Readonly<Record<string, ToolView>>;
