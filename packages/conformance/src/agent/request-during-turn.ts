import type { AgentContext, TestSession } from "./agent-context.js";
import type { RecordedResponse } from "./agent-messages.js";

/** Sends a request while a long turn is running, and then cancels the turn. */
export async function requestDuringTurn(
  context: AgentContext,
  session: TestSession,
  method: string,
  params: object,
  requirement: string,
): Promise<{ readonly response: RecordedResponse; readonly wasRunning: boolean }> {
  const turn = context.prompt(session, context.text("long"));
  await context.updateOf(session, turn, () => true);
  const request = session.peer.sendRequest(method, params);
  const response = await session.peer.responseTo(request, context.options.answerMs, requirement);
  session.peer.notify("session/cancel", { sessionId: session.id });
  const end = await context.endOf(session, turn);
  return { response, wasRunning: response.seq < end.seq };
}
