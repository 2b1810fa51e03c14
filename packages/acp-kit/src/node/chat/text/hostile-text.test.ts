import type { MessageEntry, ToolCallEntry, TranscriptEntry } from "@acp-kit/client";
import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { describe, expect, it } from "vitest";
import { renderEntry } from "../view/entry-view.js";
import { cleanLine, cleanOutput, cleanText } from "./clean.js";
import { truncate, widthOf, wrap } from "./layout.js";
import { limits, maxItems } from "./limits.js";
import { createPaint } from "./paint.js";
import { completeLength, renderMarkdown } from "./render-markdown.js";
import { trimBlock, withoutLineEnds } from "./trim.js";

const canvas = { columns: 80, paint: createPaint(true) };
const esc = "\u001b";
const repeat = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length));

/** What made one of the steps below quadratic or recurse without end, and what looks as if it could. */
const worst: Readonly<Record<string, (length: number) => string>> = {
  "inner spaces": (length) => `a${" ".repeat(length)}b`,
  "inner line ends": (length) => `a${"\n".repeat(length)}b`,
  "line ends and spaces": (length) => `a${repeat("\n ", length)}b`,
  "carriage returns": (length) => `${"\r".repeat(length)}x`,
  backspaces: (length) => "a".repeat(length / 2) + "\b".repeat(length / 2),
  "a character and a backspace": (length) => repeat("a\b", length),
  "colours and backspaces": (length) =>
    "a".repeat(length / 4) + repeat(`${esc}[1m`, length / 2) + "\b".repeat(length / 4),
  "escapes that don't end": (length) => repeat(`${esc}[1;`, length),
  "addresses that don't end": (length) => repeat(`${esc}]8;;`, length),
  "strings of one byte that don't end": (length) => repeat("\u009d8;;", length),
  "device controls that don't end": (length) => repeat(`${esc}P1$r`, length),
  tabs: (length) => "\t".repeat(length),
  "one long word": (length) => "x".repeat(length),
  "combining characters": (length) => `e${"\u0301".repeat(length)}`,
  "joined emojis": (length) => repeat("👨\u200d", length),
  emphasis: (length) => repeat("**a *b ", length),
  underscores: (length) => repeat("_a", length),
  strikes: (length) => repeat("~~a~", length),
  "an e-mail address": (length) => `${repeat("a.", length)}@`,
  brackets: (length) => "[".repeat(length),
  links: (length) => repeat("[a](", length),
  images: (length) => repeat("![", length),
  backticks: (length) => repeat("`a``b```", length),
  quotes: (length) => ">".repeat(length),
  "quotes apart": (length) => repeat("> ", length),
  "lists in one line": (length) => `${repeat("- ", length)}a`,
  "numbers in one line": (length) => `${repeat("1. ", length)}a`,
  "lists in lists": (length) =>
    Array.from({ length: Math.floor(Math.sqrt(length)) }, (_, depth) => `${" ".repeat(2 * depth)}- a`).join("\n"),
  markup: (length) => repeat("<a ", length),
  comments: (length) => repeat("<!-- ", length),
  "a table of many columns": (length) =>
    `${repeat("|a", length / 4)}\n${repeat("|-", length / 4)}\n${repeat("|\n", length / 2)}`,
  definitions: (length) => repeat("[a]: b\n", length),
  "a fence that doesn't end": (length) => `\`\`\`\n${repeat("x\n", length)}`,
  paragraphs: (length) => repeat("a\n\n", length),
};

const steps: Readonly<Record<string, (text: string) => string>> = {
  cleanText,
  cleanLine: (text) => cleanLine(text),
  "cleanLine without a limit": (text) => cleanLine(text, Number.POSITIVE_INFINITY),
  cleanOutput: (text) => cleanOutput(text, true),
  trimBlock,
  withoutLineEnds,
  "layout of a clean line": (text) => {
    const line = cleanLine(text, 50_000);
    return String([widthOf(line), truncate(line, 78), wrap(line, 78).length]);
  },
  renderMarkdown: (text) => renderMarkdown(cleanText(text.slice(0, limits.message)), canvas).join("\n"),
  completeLength: (text) => String(completeLength(cleanText(text))),
};

describe.each(Object.entries(steps))("%s takes linear time", (_name, step) => {
  it.each(Object.entries(worst))("hostile.terminal-text: %s", async (_worst, make) => {
    expect(await growthOf((length) => step(make(length)))).toBeLessThan(LINEAR);
  });
});

const setting = { terminals: {}, cwd: "/work" };
const message = (text: string): MessageEntry =>
  ({ type: "agent_message", key: "1", turn: 0, content: [{ type: "text", text }] }) as unknown as MessageEntry;
const toolCall = (members: object): ToolCallEntry =>
  ({
    type: "tool_call",
    key: "1",
    toolCallId: "1",
    title: "Edit",
    kind: "edit",
    status: "completed",
    content: [],
    locations: [],
    terminalIds: [],
    ...members,
  }) as unknown as ToolCallEntry;
const drawn = (entry: Parameters<typeof renderEntry>[0], terminals = {}): string[] =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: styles are what is taken away
  renderEntry(entry, { ...setting, terminals }, canvas).map((line) => line.replace(/\u001b\[[\d;]*m/g, ""));
const long = "x".repeat(1_000_000);

describe("draws a limited part of an entry, and counts the rest", () => {
  it("a message", () => {
    const lines = drawn(message(long));
    expect(lines.at(-1)).toBe(`… ${1_000_000 - limits.message} more characters`);
    expect(lines.length).toBeLessThan(1000);
  });

  it("a title", () => {
    expect(drawn(toolCall({ title: `Edit${" ".repeat(100_000)}x` }))).toEqual([
      `✓ Edit … ${100_005 - limits.line} more characters`,
    ]);
  });

  it("the text of a tool call", () => {
    const content = [{ type: "content", content: { type: "text", text: long } }];
    expect(drawn(toolCall({ content })).at(-1)).toBe(`  … ${1_000_000 - limits.text} more characters`);
  });

  it("a diff", () => {
    const content = [{ type: "diff", path: "/work/a", oldText: "", newText: long }];
    expect(drawn(toolCall({ content })).at(-1)).toBe(`  … ${1_000_000 - limits.diff} more characters`);
  });

  it("the parts and the locations of a tool call", () => {
    const content = Array.from({ length: 1000 }, () => ({ type: "content", content: { type: "text", text: "a" } }));
    const locations = Array.from({ length: 1000 }, (_, index) => ({ path: `/work/${index}` }));
    const lines = drawn(toolCall({ content, locations }));
    expect(lines[0]).toBe("✓ Edit  0, 1 and 998 more");
    expect(lines.at(-1)).toBe(`  … ${1000 - maxItems.content} more parts`);
  });

  it("the output of a command, of which it draws the end", () => {
    const output = "line\n".repeat(100_000);
    const terminals = { t: { terminalId: "t", output, command: "make" } };
    const lines = drawn(toolCall({ content: [{ type: "terminal", terminalId: "t" }] }), terminals);
    expect(lines[2]).toBe("  │ … 99988 earlier lines");
    expect(lines).toHaveLength(15);
  });

  it("a plan", () => {
    const entries = Array.from({ length: 1000 }, () => ({ content: long, status: "pending", priority: "low" }));
    const lines = drawn({ type: "plan", key: "1", turn: 0, entries } as unknown as TranscriptEntry);
    expect(lines.at(-1)).toBe(`… ${1000 - maxItems.plan} more steps`);
  });

  it("a notice", () => {
    const entry = { type: "notice", key: "1", severity: "error", title: long, description: long };
    expect(drawn(entry as unknown as TranscriptEntry).at(-1)).toBe(`  … ${1_000_000 - limits.text} more characters`);
  });
});
