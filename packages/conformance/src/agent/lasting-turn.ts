import { member } from "../wire/values.js";
import type { AgentContext, OpenTurn, TestSession } from "./agent-context.js";
import type { Answer } from "./agent-peer.js";

/** The kinds of updates that show that a turn runs. */
export const ofTheTurn: ReadonlySet<string> = new Set([
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
]);

/** How many silences of the kit a turn has to outlast, so that an end right behind a cancel is no coincidence. */
const LASTING = 10;

/** Starts a turn that should last, and waits for its first update. Skips when the turn ends before. */
export async function longTurn(context: AgentContext, session: TestSession): Promise<OpenTurn> {
  const turn = context.prompt(session, context.text("long"));
  const first = await context.updateOf(session, turn, ({ sessionUpdate }) => ofTheTurn.has(String(sessionUpdate)));
  if (!first) context.skip("the turn that should last ended at once, or said nothing: --prompt long=…");
  return turn;
}

/** As {@link longTurn}, and shows that the turn goes on after its first update. Skips when it ends by itself soon: a cancel would come too late. */
export async function lastingTurn(context: AgentContext, session: TestSession): Promise<OpenTurn> {
  const turn = await longTurn(context, session);
  const { id } = turn.asked;
  const ended = await session.peer.next(({ kind, message }) => kind === "response" && message.id === id, {
    since: turn.asked.seq,
    timeoutMs: LASTING * context.options.quietMs,
  });
  if (ended) context.skip("the turn that should last ends by itself soon after its beginning: --prompt long=…");
  return turn;
}

/** The end of a turn after a message that should end it. */
export interface StoppedTurn {
  readonly answer: Answer;
  /** The number of the entry with that message. */
  readonly seq: number;
  readonly isCancelled: boolean;
  /** The agent had read the message before it responded to the prompt, or responded much sooner than the turn lasts without it. */
  readonly isCaused: boolean;
}

/** Sends a message that should end a turn, in the middle of it, and waits for the end. */
export async function stopTurn(
  context: AgentContext,
  session: TestSession,
  turn: OpenTurn,
  stop: () => { readonly seq: number },
  requirement: string,
): Promise<StoppedTurn> {
  const { peer } = session;
  const { seq } = stop();
  const stoppedAt = performance.now();
  // Messages are read in order: a response to this request shows that the agent has read the message before it.
  const fence = peer.ask("_conformance/fence", {}, `fence-after-${seq}`);
  const answer = await peer.answerTo(turn.asked, context.options.turnMs, requirement);
  const isCancelled = member(answer.result, "stopReason") === "cancelled";
  const wasRead = fence.answer !== undefined && fence.answer.seq < answer.seq;
  const wasSoon = performance.now() - stoppedAt < LASTING * context.options.quietMs;
  return { answer, seq, isCancelled, isCaused: wasRead || wasSoon };
}
