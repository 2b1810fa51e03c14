import type { TerminalHandle, ToolCallHandle } from "@acp-kit/agent";

/**
 * Runs a command in the client's terminal, shows the terminal in a tool call, and always releases it. Applications can
 * use `await using` instead.
 */
export async function withTerminal<Result>(
  call: ToolCallHandle,
  params: Parameters<ToolCallHandle["terminal"]>[0],
  use: (terminal: TerminalHandle) => Promise<Result>,
): Promise<Result> {
  const terminal = await call.terminal(params);
  try {
    return await use(terminal);
  } finally {
    await terminal[Symbol.asyncDispose]();
  }
}
