import type { Session } from "@acp-kit/client";

// #region cancel
export async function stopWhenItRuns(session: Session): Promise<string> {
  const turn = session.prompt("Go");
  for await (const update of turn) {
    if (update.sessionUpdate === "tool_call") turn.cancel(); // safe at any time, any number of times
  }
  return (await turn.result).stopReason; // "cancelled", which is not an error
}
// #endregion cancel

// #region order
export async function collect(session: Session, save: (text: string) => Promise<void>): Promise<void> {
  session.onUpdate(async (update) => {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      await save(update.content.text);
  });
  await session.prompt("Go").result;
  // Every save has finished, in the order of the chunks.
}
// #endregion order

// #region deadlines
export async function impatient(session: Session): Promise<string> {
  const turn = session.prompt("Go", { idleTimeoutMs: 30, cancelTimeoutMs: 5_000 });
  const { stopReason } = await turn.result;
  return stopReason;
}
// #endregion deadlines
