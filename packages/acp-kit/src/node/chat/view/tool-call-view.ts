import type { ToolCallEntry, TranscriptSnapshot, TranscriptTerminal } from "@acp-kit/client";
import { suffixOf } from "@acp-kit/protocol/internal";
import type { IncomingToolCallContent } from "@acp-kit/types";
import type { Canvas } from "../text/canvas.js";
import { cleanLine, cleanOutput, cleanText } from "../text/clean.js";
import { firstLines, truncate, wrap } from "../text/layout.js";
import { bounded, limits, maxItems, moreCharacters, moreOf } from "../text/limits.js";
import { renderDiff } from "../text/render-diff.js";
import { trimBlock, withoutLineEnds } from "../text/trim.js";
import { blockLabel } from "./content-text.js";
import { shortPath, shortTitle } from "./short-path.js";

/** The settings with which a tool call is rendered. */
export interface ToolCallSetting {
  readonly terminals: TranscriptSnapshot["terminals"];
  /** The working directory, omitted from paths. */
  readonly cwd: string;
  /** The character before the title of a running tool call. Default: `●`. */
  readonly spinner?: string;
  /** Maximum number of lines of a diff, a text and a terminal's output. */
  readonly maxDiff?: number;
  readonly maxText?: number;
  readonly maxOutput?: number;
}

/** Renders a tool call: a line with its title and state, and its content below. */
export function renderToolCall(entry: ToolCallEntry, setting: ToolCallSetting, canvas: Canvas): string[] {
  const { paint, columns } = canvas;
  const inner = { ...canvas, columns: columns - 2 };
  const isAsked = entry.permission?.state === "open"; // the question shows the content
  const title = titleOf(entry, setting);
  const terminals = ownTerminals(entry, setting);
  const missing =
    Math.max(0, entry.content.length - maxItems.content) + Math.max(0, terminals.length - maxItems.content);
  const body = [
    ...entry.content.slice(0, maxItems.content).flatMap((item) => renderItem(item, title, setting, inner)),
    ...terminals.slice(0, maxItems.content).flatMap((terminal) => renderTerminal(terminal, setting, inner)),
    ...(missing > 0 ? [paint.dim(moreOf(missing, "part"))] : []),
  ];
  if (isAsked) body.length = 0;
  if (body.length === 0) body.push(...failure(entry, inner));
  return [renderHead(entry, setting, canvas), ...body.map((line) => `  ${line}`.trimEnd())];
}

/** Renders the line with the title and state of a tool call. */
export function renderHead(entry: ToolCallEntry, setting: ToolCallSetting, canvas: Canvas): string {
  const title = titleOf(entry, setting);
  const head = `${mark(entry, setting, canvas)} ${canvas.paint.bold(title)}${places(entry, title, setting, canvas)}${state(entry, canvas)}`;
  return truncate(head, canvas.columns);
}

function titleOf({ title, name, kind }: ToolCallEntry, { cwd }: ToolCallSetting): string {
  return shortTitle(cleanLine(title), cwd) || cleanLine(name ?? "") || kind;
}

function mark(entry: ToolCallEntry, { spinner }: ToolCallSetting, { paint }: Canvas): string {
  if (entry.permission?.state === "open") return paint.yellow("?");
  if (entry.unfinished) return paint.yellow("■");
  switch (entry.status) {
    case "completed":
      return paint.green("✓");
    case "failed":
      return paint.red("✗");
    case "cancelled":
      return paint.yellow("■");
    case "in_progress":
      return paint.cyan(spinner ?? "●");
    default:
      return paint.dim("○");
  }
}

/** Returns the locations of the call that its title does not contain. */
function places({ locations }: ToolCallEntry, title: string, { cwd }: ToolCallSetting, { paint }: Canvas): string {
  const elsewhere = locations.slice(0, maxItems.locations).filter(({ path }) => path !== cwd);
  const shown = elsewhere.map(({ path, line }) => shortPath(cleanLine(path), cwd) + (line != null ? `:${line}` : ""));
  const named = [...new Set(shown)].filter((place) => !title.includes(place));
  if (named.length === 0) return "";
  const others = named.length - 2 + Math.max(0, locations.length - maxItems.locations);
  const more = named.length > 2 ? ` and ${others} more` : "";
  return paint.dim(`  ${named.slice(0, 2).join(", ")}${more}`);
}

function state({ unfinished, permission, status }: ToolCallEntry, { paint }: Canvas): string {
  if (unfinished) return paint.yellow("  stopped");
  if (permission?.state === "decided" && permission.chosen?.kind.startsWith("reject"))
    return paint.yellow("  rejected");
  if (status === "cancelled" || status === "paused") return paint.yellow(`  ${status}`);
  return status === "failed" ? paint.red("  failed") : "";
}

function renderItem(item: IncomingToolCallContent, title: string, setting: ToolCallSetting, canvas: Canvas): string[] {
  const { paint, columns } = canvas;
  const { maxDiff = 60, maxText = 12 } = setting;
  const more = (missing: number): string => paint.dim(`… ${missing} more ${missing === 1 ? "line" : "lines"}`);
  switch (item.type) {
    case "diff": {
      const { path, oldText, newText } = item as { path: string; oldText?: string | null; newText: string };
      const made = oldText == null ? " (new)" : "";
      const place = shortPath(cleanLine(path), setting.cwd);
      const head = title.includes(place) && made === "" ? [] : [truncate(paint.dim(place + made), columns)];
      return [...head, ...firstLines(renderDiff(oldText, newText, canvas), maxDiff, more)];
    }
    case "content": {
      const { content } = item as { content: Parameters<typeof blockLabel>[0] };
      const { text: label, missing } = blockLabel(content, setting.cwd);
      const text = unfenced(trimBlock(label));
      if (text === "") return [];
      const lines = firstLines(wrap(text, columns), maxText, more);
      return [...lines, ...(missing > 0 ? [moreCharacters(missing)] : [])].map(paint.dim);
    }
    case "terminal": {
      const { terminalId } = item as { terminalId: string };
      const terminal = terminalOf(setting, terminalId);
      return terminal === undefined ? [] : renderTerminal(terminal, setting, canvas);
    }
    default:
      return [paint.dim(`[${cleanLine(item.type)}]`)];
  }
}

/** If a text is only a code block, returns the code without the fences, as texts of tool calls are rendered as code. */
function unfenced(text: string): string {
  return /^```[^\n`]*\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text;
}

function renderTerminal(terminal: TranscriptTerminal, { maxOutput = 12 }: ToolCallSetting, canvas: Canvas): string[] {
  const { paint, columns } = canvas;
  const bar = paint.dim("│ ");
  const end = suffixOf(terminal.output, limits.output);
  const from = terminal.output.length - end.length;
  const output = withoutLineEnds(cleanOutput(end, paint.enabled));
  const before = from === 0 ? 0 : terminal.output.slice(0, from).split("\n").length - 1;
  const lines =
    output === ""
      ? []
      : wrap(output, columns - 2).map((line) => (paint.enabled && line.includes("\u001b") ? `${line}\u001b[0m` : line));
  const hidden = before + Math.max(0, lines.length - maxOutput);
  const earlier = hidden > 0 ? [paint.dim(`… ${hidden} earlier ${hidden === 1 ? "line" : "lines"}`)] : [];
  const shown = [...earlier, ...lines.slice(-maxOutput)];
  const command =
    terminal.command === undefined ? [] : [truncate(paint.dim(`$ ${cleanLine(terminal.command)}`), columns)];
  return [...command, ...shown.map((line) => bar + line), ...ending(terminal, canvas)];
}

function ending({ exit }: TranscriptTerminal, { paint }: Canvas): string[] {
  if (exit === undefined || exit.exitCode === 0) return [];
  if (exit.signal !== undefined) return [paint.yellow(`ended by ${cleanLine(exit.signal)}`)];
  return exit.exitCode === undefined ? [] : [paint.red(`exit code ${exit.exitCode}`)];
}

/** Returns the terminals that the agent runs itself and describes in `_meta`. */
function ownTerminals({ terminalIds, content }: ToolCallEntry, setting: ToolCallSetting): TranscriptTerminal[] {
  const shown = new Set(content.map((item) => (item as { terminalId?: string }).terminalId));
  return terminalIds.filter((id) => !shown.has(id)).flatMap((id) => terminalOf(setting, id) ?? []);
}

function terminalOf({ terminals }: ToolCallSetting, terminalId: string): TranscriptTerminal | undefined {
  return Object.hasOwn(terminals, terminalId) ? terminals[terminalId] : undefined;
}

/** Returns the reason for a failure, for agents that report it only in `rawOutput`. */
function failure({ status, rawOutput }: ToolCallEntry, { paint, columns }: Canvas): string[] {
  if (status !== "failed") return [];
  const { error, message } = Object(rawOutput) as { error?: unknown; message?: unknown };
  const said = [rawOutput, error, message].find((each) => typeof each === "string" && each !== "");
  return said === undefined
    ? []
    : wrap(cleanText(bounded(String(said), limits.text).text), columns)
        .slice(0, 6)
        .map(paint.red);
}
