import { isRpcError, type PromptTurn, type Session } from "@acp-kit/client";
import type { StopReason } from "@acp-kit/types";
import type { Chapter } from "./chapters.js";
import { type Stage, timed } from "./stage.js";
import { cyan, dim, green, yellow } from "./style.js";

const stopReasons: readonly StopReason[] = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"];

/** Sends one prompt, shows its turn, and checks the events. */
export async function playChapter(stage: Stage, session: Session, chapter: Chapter): Promise<void> {
  const { screen, witness, everything, checks, live } = stage;
  const text = chapter.prompt[everything ? "everything" : "any"];
  const between = witness.take();
  if (everything) checks.order(between, [], `Before "${chapter.title}"`);
  screen.heading(chapter.title);
  screen.row("user", text, cyan);
  live.user += text;

  const turn = session.prompt(text, { idleTimeoutMs: 180_000 });
  const stopReason = await timed(stage, chapter.title, () => watch(stage, turn, chapter));
  const events = witness.take();
  screen.row("ended", stopReason, stopReason === chapter.stopReason ? green : yellow);

  if (everything) {
    checks.equal(stopReason, chapter.stopReason, `${chapter.title}: the stop reason`);
    checks.order(events, chapter.events, chapter.title);
    await chapter.check?.(stage);
    return;
  }
  checks.that(stopReasons.includes(stopReason as StopReason), `${chapter.title}: "${stopReason}" is no stop reason`);
  if (events.includes("→ cancel")) checks.equal(stopReason, "cancelled", `${chapter.title}: the stop reason`);
  if (events.some((event) => chapter.shows.event.test(event))) return;
  stage.skipped.push(chapter.title);
  screen.row("skipped", `this agent did not show ${chapter.shows.what}`, dim);
}

/** Reads the updates of the turn to its end, and cancels the turn if the chapter requires this. */
async function watch(stage: Stage, turn: PromptTurn, { cancelAfterMs }: Chapter): Promise<string> {
  const { witness, screen, everything } = stage;
  const cancel = (): void => {
    clearTimeout(timer);
    if (turn.session.turn !== turn) return;
    witness.asked("cancel");
    screen.row("user", "Stop!", cyan);
    turn.cancel();
  };
  const timer = cancelAfterMs === undefined || everything ? undefined : setTimeout(cancel, cancelAfterMs);
  let cancelled = false;
  for await (const update of turn) {
    const runs = update.sessionUpdate === "tool_call" && update.status === "in_progress";
    if (cancelAfterMs === undefined || cancelled || !runs) continue;
    cancelled = true;
    cancel();
  }
  clearTimeout(timer);
  try {
    return (await turn.result).stopReason;
  } catch (error) {
    if (!isRpcError(error)) throw error;
    return `error ${error.code}: ${error.message}`;
  }
}
