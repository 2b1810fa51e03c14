import type { PromptResult, Turn } from "@acp-kit/agent";
import { isKnownContentBlock } from "@acp-kit/types";
import type { LiveSession } from "./live-session.js";
import { commandOf, play } from "./play.js";
import { Scene, type Stage } from "./scene.js";

/** Runs one turn: logs the prompt, makes the first prompt the title of the session, and runs the command. */
export async function playTurn(
  turn: Turn,
  session: LiveSession,
  stage: Omit<Stage, "session" | "afterwards">,
): Promise<PromptResult> {
  session.prompted(turn.prompt.filter(isKnownContentBlock));
  if (session.title === undefined && session.turns === 1) {
    const title = titleOf(turn.text);
    session.setTitle(title);
    await turn.title(title);
  }
  const afterwards: Stage["afterwards"] = (action) => {
    setTimeout(() => action(session.place.connection.session(session.sessionId)), stage.paceMs);
  };
  const { command, args } = commandOf(turn.text, stage.commands);
  const result = await play(command, new Scene(turn, args, { ...stage, session, afterwards }));
  if (result === "refusal") session.log({ type: "refused" });
  return result;
}

/** Shortens a text to one short line, because clients show titles in lists. */
export function titleOf(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line || "Untitled";
}
