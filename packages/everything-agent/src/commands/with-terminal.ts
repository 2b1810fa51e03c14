import type { TerminalHandle, ToolCallHandle } from "@acp-kit/agent";

/** Runs a command in the client's terminal, shown in a tool call, and always releases it: `await using`, written out. */
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
