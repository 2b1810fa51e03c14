import type { Session, TranscriptSnapshot } from "@acp-kit/client";
import type { Canvas } from "../text/canvas.js";
import { cleanLine } from "../text/clean.js";
import { firstLines, truncate, wrap } from "../text/layout.js";
import { maxItems, moreCharacters, moreOf } from "../text/limits.js";
import { trimBlock } from "../text/trim.js";
import { contentText } from "./content-text.js";
import { renderHead, type ToolCallSetting } from "./tool-call-view.js";

/** A child session of a transcript. */
export type Child = NonNullable<TranscriptSnapshot["children"]>[string];

/** The maximum length of a child session's name, so that its state is on the same line. */
const maxName = 80;

function nameOf({ title, sessionId }: Pick<Child, "title" | "sessionId">): string {
  return `Subagent ${cleanLine(title ?? "", maxName) || cleanLine(sessionId, maxName)}`;
}

/** Returns the line above a question of a child session; `undefined` if the session itself asks. */
export function askedBy(session: Session | undefined, sessionId: string): string | undefined {
  if (session === undefined || session.sessionId === sessionId) return undefined;
  const { children = {} } = session.transcript.snapshot;
  const child = Object.hasOwn(children, sessionId) ? children[sessionId] : undefined;
  return `${nameOf(child ?? { sessionId })} asks:`;
}

/** Returns the state in a word. An idle child session has completed its work, or its work has ended by its reason. */
export function stateOf({ state, transcript: { turns } }: Child): string {
  const last = turns.at(-1);
  if (state !== "idle" || last === undefined) return cleanLine(state || "unknown", maxName).replaceAll("_", " ");
  const { stopReason = "end_turn" } = last;
  return stopReason === "end_turn" ? "completed" : cleanLine(stopReason, maxName).replaceAll("_", " ");
}

const unfinished: ReadonlySet<string> = new Set(["running", "requires action", "idle", "unknown"]);

/** Returns whether the work of a child session has ended. A later prompt of its parent can continue it. */
export function isOver(child: Child): boolean {
  return !unfinished.has(stateOf(child));
}

/** Renders a child session: a line with its name and state, and below its last message, or else its tool calls. */
export function renderChild(
  child: Child,
  { cwd, spinner }: Omit<ToolCallSetting, "terminals">,
  canvas: Canvas,
): string[] {
  const { paint, columns } = canvas;
  const word = stateOf(child);
  const head = `${mark(word, spinner, canvas)} ${paint.bold(nameOf(child))}${word === "unknown" ? "" : `  ${word}`}`;
  const inner = { ...canvas, columns: columns - 2 };
  const setting = { terminals: child.transcript.terminals, cwd, ...(spinner && { spinner }) };
  const message = isOver(child) ? renderMessage(child, cwd, inner) : [];
  const body = message.length > 0 ? message : renderCalls(child, setting, inner);
  return [truncate(head, columns), ...body.map((line) => `  ${line}`.trimEnd())];
}

function mark(word: string, spinner: string | undefined, { paint }: Canvas): string {
  switch (word) {
    case "running":
      return paint.cyan(spinner ?? "●");
    case "requires action":
      return paint.yellow("?");
    case "completed":
      return paint.green("✓");
    case "failed":
    case "disconnected":
      return paint.red("✗");
    default:
      return unfinished.has(word) ? paint.dim("○") : paint.yellow("■");
  }
}

function renderMessage({ transcript: { entries } }: Child, cwd: string, { paint, columns }: Canvas): string[] {
  const message = entries.findLast(({ type }) => type === "agent_message");
  if (message?.type !== "agent_message") return [];
  const { text, missing } = contentText(message.content, cwd);
  const said = trimBlock(text);
  if (said === "") return [];
  const lines = firstLines(wrap(said, columns), maxItems.childLines, (more) => moreOf(more, "line"));
  return [...lines, ...(missing > 0 ? [moreCharacters(missing)] : [])].map(paint.dim);
}

function renderCalls({ transcript: { entries } }: Child, setting: ToolCallSetting, canvas: Canvas): string[] {
  const calls = entries.flatMap((entry) => (entry.type === "tool_call" ? [entry] : []));
  const earlier = calls.length - maxItems.childLines;
  return [
    ...(earlier > 0 ? [canvas.paint.dim(`… ${earlier} earlier tool ${earlier === 1 ? "call" : "calls"}`)] : []),
    ...calls.slice(-maxItems.childLines).map((call) => renderHead(call, setting, canvas)),
  ];
}
