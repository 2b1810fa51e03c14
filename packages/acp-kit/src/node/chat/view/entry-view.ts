import type { MessageEntry, PlanTranscriptEntry, TranscriptEntry } from "@acp-kit/client";
import type { Canvas } from "../text/canvas.js";
import { cleanLine, cleanText } from "../text/clean.js";
import { firstLines, indent } from "../text/layout.js";
import { bounded, limits, maxItems, moreCharacters, moreOf } from "../text/limits.js";
import { renderMarkdown } from "../text/render-markdown.js";
import { trimBlock } from "../text/trim.js";
import { contentText } from "./content-text.js";
import { renderToolCall, type ToolCallSetting } from "./tool-call-view.js";

/** Renders an entry of the transcript as lines that the terminal keeps and that are not drawn again. */
export function renderEntry(entry: TranscriptEntry, setting: ToolCallSetting, canvas: Canvas): string[] {
  const { paint, columns } = canvas;
  switch (entry.type) {
    case "user_message":
    case "agent_message":
    case "thought":
      return renderWhole(entry, setting.cwd, canvas);
    case "tool_call":
      return renderToolCall(entry, setting, canvas);
    case "plan":
      return renderPlan(entry, canvas);
    case "notice":
      return renderNotice(entry, canvas);
    case "compaction": {
      const head = `${paint.magenta("✦")} ${compactions[entry.status] ?? cleanLine(entry.status)}`;
      const said = entry.error ?? contentText(entry.summary, setting.cwd).text;
      const lines = said === "" ? [] : indent(cleanText(bounded(said, limits.text).text), columns, "  ");
      return [head, ...firstLines(lines, 8, (missing) => `  … ${missing} more lines`).map(paint.dim)];
    }
    case "unknown":
      return [paint.dim(`· ${cleanLine(entry.update.sessionUpdate)} (unknown to this version)`)];
  }
}

const compactions: Readonly<Record<string, string>> = {
  in_progress: "Compacting the conversation…",
  completed: "The conversation was compacted",
  failed: "The conversation could not be compacted",
  cancelled: "Compacting was cancelled",
};

function renderWhole(entry: MessageEntry, cwd: string, canvas: Canvas): string[] {
  const { text, missing } = contentText(entry.content, cwd);
  const lines = renderMessage(entry.type, text, canvas);
  return missing > 0 ? [...lines, canvas.paint.dim(moreCharacters(missing))] : lines;
}

/** Renders a message, or a part of it. */
export function renderMessage(
  type: "user_message" | "agent_message" | "thought",
  text: string,
  canvas: Canvas,
): string[] {
  const { paint, columns } = canvas;
  const trimmed = trimBlock(text);
  if (trimmed === "") return [];
  if (type === "agent_message") return renderMarkdown(trimmed, canvas);
  if (type === "thought") return indent(trimmed, columns, "┊ ", "┊ ").map((line) => paint.dim(paint.italic(line)));
  return indent(trimmed, columns, "› ").map((line) => paint.cyan(line));
}

/** Renders a plan with its progress. A plan that the agent has removed has no lines. */
export function renderPlan({ entries, other }: PlanTranscriptEntry, canvas: Canvas): string[] {
  if (other !== undefined) return renderOtherPlan(other, canvas);
  if (entries.length === 0) return [];
  const { paint, columns } = canvas;
  const done = entries.filter(({ status }) => status === "completed").length;
  const lines = entries.slice(0, maxItems.plan).flatMap(({ content, status, priority }) => {
    const text = cleanLine(content);
    if (status === "completed") return indent(paint.dim(text), columns, `${paint.green("✔")} `);
    if (status === "in_progress") return indent(paint.bold(text), columns, `${paint.cyan("▸")} `);
    return indent(priority === "high" ? text : paint.dim(text), columns, `${paint.dim("○")} `);
  });
  const missing = entries.length - maxItems.plan;
  const more = missing > 0 ? [paint.dim(moreOf(missing, "step"))] : [];
  return [`${paint.bold("Plan")} ${paint.dim(`${done} of ${entries.length}`)}`, ...lines, ...more];
}

/** Renders a plan that is no list: Markdown, or only its type. */
function renderOtherPlan(plan: NonNullable<PlanTranscriptEntry["other"]>, canvas: Canvas): string[] {
  const { type, content } = plan as { readonly type: string; readonly content?: unknown };
  const { paint } = canvas;
  if (type !== "markdown" || typeof content !== "string") return [paint.bold(`Plan (${cleanLine(type)})`)];
  return [paint.bold("Plan"), ...renderMarkdown(bounded(content, limits.text).text, canvas)];
}

function renderNotice(
  { severity, title, description }: Extract<TranscriptEntry, { type: "notice" }>,
  { paint, columns }: Canvas,
): string[] {
  const [mark, style] =
    severity === "error" ? ["✗", paint.red] : severity === "warning" ? ["⚠", paint.yellow] : ["ℹ", paint.blue];
  const { text, missing } = bounded(description ?? "", limits.text);
  const more = text === "" ? [] : indent(paint.dim(cleanText(text)), columns, "  ");
  if (missing > 0) more.push(paint.dim(`  ${moreCharacters(missing)}`));
  return [...indent(style(cleanLine(title)), columns, `${style(mark)} `), ...more];
}
