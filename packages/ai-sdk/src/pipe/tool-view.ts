import type { ToolCallChange } from "@acp-kit/agent";
import type { ToolKind } from "@acp-kit/types";

/**
 * How the calls of one tool are shown. What it leaves out is shown as usual: the tool's name or title, the kind by its name, the output as
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
  /** What is shown when the input is complete, before the user is asked. */
  input?(input: never): ToolCallChange;
  /** What is shown of an output, preliminary ones included. `content` replaces what was shown before. */
  output?(output: never, input: never): ToolCallChange;
}

/** The views of tools, by name. */
export type ToolViews = Readonly<Record<string, ToolView>>;
