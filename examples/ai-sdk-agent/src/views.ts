// The tool views: they add titles, locations and diffs to tool calls, so that the user sees what a call does before
// allowing it.
import { resolve } from "node:path";
import { diff } from "@acp-kit/agent";
import type { AiSdkTurn, ToolViews } from "@acp-kit/ai-sdk";

// #region views
interface Edit {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

export function codingViews({ session: { cwd } }: AiSdkTurn): ToolViews {
  const at = (path: string): string => resolve(cwd, path);
  return {
    read_file: {
      input: ({ path }: { path: string }) => ({ title: `Read ${path}`, locations: [{ path: at(path) }] }),
    },
    edit_file: {
      input: ({ path, oldText, newText }: Edit) => ({
        title: `Edit ${path}`,
        locations: [{ path: at(path) }],
        content: [diff({ path: at(path), oldText, newText })],
      }),
    },
    run_command: { input: ({ command }: { command: string }) => ({ title: `Run ${command}` }) },
    update_plan: { kind: "think" },
  };
}
// #endregion views
