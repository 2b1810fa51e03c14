import { type Inspector, inspectAgent } from "@acp-kit/inspector";
import { spawnAgent } from "@acp-kit/stdio/node";

// #region inspect
/** Opens the inspector of an agent: `inspector.url` is its page, and `await inspector.close()` ends both. */
export function inspect(command: string, args: readonly string[]): Promise<Inspector> {
  return inspectAgent({
    open: ({ onStderr }) => spawnAgent({ command, args, onStderr }),
    command: [command, ...args],
  });
}
// #endregion inspect
