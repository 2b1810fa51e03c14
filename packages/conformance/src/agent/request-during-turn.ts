import type { AgentContext, TestSession } from "./agent-context.js";

/**
 * Sends a request during a long turn, which it then cancels. An error breaks the rule, unless the turn ended before.
 */
export async function acceptsDuringTurn(
  context: AgentContext,
  session: TestSession,
  method: string,
  params: object,
  rule: string,
): Promise<void> {
  const turn = context.prompt(session, context.text("long"));
  await context.updateOf(session, turn, () => true);
  const request = session.peer.sendRequest(method, params);
  const response = await session.peer.responseTo(request, context.options.requestTimeoutMs, rule);
  session.peer.notify("session/cancel", { sessionId: session.id });
  const end = await context.endOf(session, turn);
  if (!response.error) return;
  if (response.seq > end.seq) context.inconclusive(`the turn ended by itself before the response to ${method}`);
  context.fail(rule, { sent: `${method} while a turn was running`, received: response });
}
