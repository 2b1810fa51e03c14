import { type Inspector, inspectAgent } from "@acp-kit/inspector";
import { spawnAgent } from "@acp-kit/stdio/node";

// #region inspect
/** Opens the inspector of an agent. `await inspector.close()` ends both. */
export async function inspect(command: string, args: readonly string[]): Promise<Inspector> {
  const inspector = await inspectAgent({
    open: ({ onStderr }) => spawnAgent({ command, args, onStderr }),
    command: [command, ...args],
  });
  console.log(inspector.url);
  return inspector;
}
// #endregion inspect
