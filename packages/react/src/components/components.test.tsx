import { File as NodeFile } from "node:buffer";
import { createTranscript, type PermissionOption, type ToolCallEntry } from "@acp-kit/client";
import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import type { ContentBlock } from "@acp-kit/types";
import { act, type ComponentProps, type ReactNode } from "react";
import { describe, expect, it, vi } from "vitest";
import { button, click, press, render, type, until } from "../../test/render.js";
import {
  ChildSessionView,
  Composer,
  ContentBlocks,
  DiffView,
  type FileLink,
  FileLinks,
  FormCard,
  LiveStatus,
  Markdown,
  PermissionCard,
  PlanList,
  TerminalOutput,
  ToolCallView,
  TranscriptEntryView,
} from "../index.js";
import { type FileSuggestion, mentionedFiles } from "./composer/completion.js";
import { fileLinkOf } from "./file-links.js";
import { imageSource } from "./image-size.js";
import { parseMarkdown } from "./markdown/blocks.js";
import { plainLine, plainText, safeHref } from "./plain-text.js";
import { diffLines } from "./tool-call/diff-view.js";
import { piecesOf } from "./tool-call/terminal-output.js";

const esc = "\u001b";
const rlo = "\u202e";

const call: ToolCallEntry = {
  type: "tool_call",
  key: "1",
  toolCallId: "c1",
  title: "Edit a.ts",
  kind: "edit",
  status: "in_progress",
  content: [{ type: "diff", path: "/a.ts", oldText: "one\ntwo\n", newText: "one\n2\n" }],
  locations: [{ path: "/a.ts", line: 2 }],
  terminalIds: [],
  rawInput: { path: "/a.ts" },
};

it("replaces characters that can disguise a text", () => {
  expect(plainText(`a${esc}[31mb${rlo}c\r\nd\u0000\u2066`)).toBe("a\ufffd[31mb\ufffdc\nd\ufffd\ufffd");
  expect(plainLine("a\n b".repeat(400), 6)).toBe("a ba…");
  expect(plainText(undefined)).toBe("");
  expect(
    ["https://a.b/c", "http://a", "mailto:a@b", "javascript:alert(1)", "data:text/html,x", "//a", "https://u:p@a"].map(
      safeHref,
    ),
  ).toEqual(["https://a.b/c", "http://a/", "mailto:a@b", undefined, undefined, undefined, undefined]);
});

it("parses only the last blocks of an accumulated text again, and closes open marks", () => {
  const text = "# One\n\ntwo **three** four\n\n- a\n- b\n\nfive\n\nsix\n\nseven";
  const first = parseMarkdown(text, undefined, true);
  const second = parseMarkdown(`${text} eight\n\nnine`, first, true);
  expect(second.blocks[0]).toBe(first.blocks[0]);
  expect(second.blocks.map(({ raw }) => raw).join("")).toBe(`${text} eight\n\nnine`);
  expect(parseMarkdown("a **bold", undefined, true).blocks[0]?.tokens[0]).toMatchObject({
    tokens: [{ type: "text" }, { type: "strong", text: "bold" }],
  });
  for (const mark of ["`", "``", "```", "```t", "```ts"]) {
    const shown = JSON.stringify(
      parseMarkdown(`text\n\n${mark}`, undefined, true).blocks.flatMap(({ tokens }) =>
        tokens.map((token) => ("text" in token ? token.text : "")),
      ),
    );
    expect(shown).not.toContain("`");
  }
  const whole = "```ts\nconst a = 1;\n```\n\ndone";
  for (let end = 8; end <= whole.length; end += 1) {
    const types = parseMarkdown(whole.slice(0, end), undefined, true).blocks.map(({ tokens }) => tokens[0]?.type);
    expect(types[0]).toBe("code");
  }
});

it("calls the application's hook for links to files in messages, resources, diffs and tool calls", async () => {
  const opened: FileLink[] = [];
  const content: ContentBlock[] = [
    { type: "text", text: "See [a](src/a%20b.ts#L3-L5), [web](https://a.b/c) and [script](javascript:alert(1))" },
    { type: "resource_link", uri: "file:///srv/notes.md", name: "notes" },
  ];
  const parts = (
    <>
      <ContentBlocks content={content} />
      <ToolCallView entry={call} />
    </>
  );
  const { container } = await render(<FileLinks onOpen={(link) => opened.push(link)}>{parts}</FileLinks>);
  const buttons = [...container.querySelectorAll("button.acp-file-link")];
  for (const button of buttons) await click(button);
  expect(opened).toEqual([
    { path: "src/a b.ts", line: 3 },
    { path: "/srv/notes.md" },
    { path: "/a.ts", line: 2 },
    { path: "/a.ts" },
  ]);
  expect([...container.querySelectorAll("a")].map(({ href }) => href)).toEqual(["https://a.b/c"]);
  const without = await render(parts);
  expect(without.container.querySelectorAll("button.acp-file-link")).toHaveLength(0);
});

it.each([
  ["src/a.ts:12:5", { path: "src/a.ts", line: 12 }],
  ["/srv/a.ts", { path: "/srv/a.ts" }],
  ["C:\\a\\b.ts:7", { path: "C:\\a\\b.ts", line: 7 }],
  ["file:///C:/a.ts", { path: "C:/a.ts" }],
  ["FILE://server/share/a%20b.ts#L2", { path: "//server/share/a b.ts", line: 2 }],
  ["javascript:alert(1)", undefined],
  ["vscode://file/a", undefined],
  ["//host/a", undefined],
  ["#heading", undefined],
  ["a%00b", undefined],
  ["a%E0", undefined],
  ["", undefined],
  ["x".repeat(2_001), undefined],
])("the file of the address %s is %o", (address, link) => {
  expect(fileLinkOf(address)).toEqual(link);
});

it("text.whole-characters: cuts long texts between characters, and leaves out the half that a stream ends with", () => {
  const bulb = "\u{1f4a1}";
  expect(plainLine(`a${bulb.repeat(300)}`)).toBe(`a${bulb.repeat(249)}…`);
  expect(plainText(`done ${bulb[0]}`)).toBe("done ");
  const [piece] = piecesOf(`a${bulb.repeat(50_000)}`).pieces;
  expect(piece?.text.startsWith(bulb)).toBe(true);
  const { text, rest } = parseMarkdown(`a${bulb.repeat(100_001)}`);
  expect([text.at(-1), rest.startsWith(bulb)]).toEqual([bulb[1], true]);
});

it("renders Markdown as agents write it: ranges with a tilde, fences in a fence of Markdown, half of a tag", async () => {
  const readme = "```markdown\n# Title\n```bash\nnpm i\n```\nmore\n```\n\nAfter 5~7 and 8~9";
  const { container } = await render(<Markdown text={readme} />);
  expect([...container.querySelectorAll("code")].map(({ textContent }) => textContent)).toEqual([
    "# Title\n```bash\nnpm i\n```\nmore",
  ]);
  expect(container.querySelector("p")?.textContent).toBe("After 5~7 and 8~9");
  const streaming = await render(<Markdown text="if a <b and 5~7" streaming />);
  expect(streaming.container.textContent).toBe("if a <b and 5~7");
});

it("hostile.markdown: renders Markdown inert", async () => {
  const text = [
    "<script>alert(1)</script> <img src=x onerror=alert(1)>",
    "[a](javascript:alert(1)) [b](https://example.com/) ![c](https://example.com/c.png)",
    "| a | b |\n| - | - |\n| 1 | 2 |",
    "- [x] done\n- [ ] open",
    "> quote ~~no~~ `code &amp;` **b** _i_ \\* a & b",
    "1. one\n2. two",
    "---",
    "```ts\nconst a = '<b>';\n```",
  ].join("\n\n");
  const { container } = await render(<Markdown text={text} />);
  expect(container.querySelectorAll("script, img, iframe")).toHaveLength(0);
  expect([...container.querySelectorAll("a")].map((link) => link.href)).toEqual([
    "https://example.com/",
    "https://example.com/c.png",
  ]);
  expect(
    container.querySelectorAll(
      "table td, input[type=checkbox], blockquote del, blockquote strong, ol li, hr, pre code",
    ),
  ).toHaveLength(10);
  expect(container.textContent).toContain("<script>alert(1)</script>");
  expect(container.textContent).toContain("a & b");
  expect(container.querySelector("blockquote code")?.textContent).toBe("code &amp;");
});

it("hostile.markdown: shows any amount of Markdown within limits", async () => {
  const { container } = await render(<Markdown text={`${">".repeat(5_000)} deep\n\n${"a".repeat(300_000)}`} />);
  expect(container.textContent).toContain("deep");
});

it("shows the colours of a terminal, and none of its other sequences", async () => {
  const { pieces } = piecesOf(
    `${esc}[31mred${esc}[0m plain ${esc}[38;5;196mpalette${esc}[0m ${esc}[38;2;1;2;3mrgb${esc}[0m${esc}]0;title\u0007${esc}[2J${esc}[1;1H!\n10%\r20%\r100%\n`,
  );
  expect(pieces.map(({ text }) => text).join("")).toBe("red plain palette rgb!\n100%\n");
  expect(pieces[0]).toEqual({ text: "red", className: "acp-ansi-red" });
  expect(pieces).toContainEqual({ text: "palette", className: "", color: "rgb(255, 0, 0)" });
  expect(pieces).toContainEqual({ text: "rgb", className: "", color: "rgb(1, 2, 3)" });
  const bomb = piecesOf(`${esc}[31mx${esc}[32my`.repeat(100_000));
  expect(bomb.pieces.length).toBeLessThanOrEqual(5_000);
  expect(bomb.missing).toBeGreaterThan(0);
  const { container } = await render(<TerminalOutput output={`${esc}[1mbold`} />);
  expect(container.querySelector(".acp-ansi-bold")?.textContent).toBe("bold");
});

it.each([
  ["carriage returns", "\r", "x"],
  ["a sequence that does not end", "!", "\u0000"],
])("hostile.markdown: terminal output of %s is read in linear time", async (_, unit, end) => {
  const read = (size: number) => piecesOf(`\u001b[[${unit.repeat(size)}${end}`);
  const { pieces, missing } = read(99_000);
  expect(pieces.length).toBeLessThanOrEqual(1);
  expect(missing).toBe(0);
  expect(await growthOf(read)).toBeLessThan(LINEAR);
});

it("compares files, within limits", async () => {
  expect(diffLines("a\nb\nc\n", "a\nB\nc\n")).toMatchObject({ added: 1, removed: 1 });
  const long = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join("\n");
  expect(diffLines(long, `${long}\nmore`).added).toBe(1 + 1);
  // With too many changes, the result is only the new text
  expect(diffLines(long, long.replaceAll("line", "row")).lines.length).toBe(20_000);
  const huge = "line\n".repeat(200_001);
  expect(diffLines(huge, "")).toEqual({ lines: [], added: 0, removed: 200_001 });
  expect(diffLines("", huge)).toMatchObject({ added: 200_001, removed: 0 });
  const { container } = await render(<DiffView path="/a.ts" newText={long} />);
  expect(container.querySelectorAll("tr").length).toBe(400);
  await click(button(container, "more lines"));
  expect(container.querySelectorAll("tr").length).toBe(4_000);
});

it.each([
  ["No change", "a\n", "a\n"],
  ["A new, empty file", null, ""],
  ["All lines are removed", "line\n".repeat(200_001), ""],
])("says %s for a diff without lines", async (words, oldText, newText) => {
  const { container } = await render(<DiffView path="/a.ts" oldText={oldText} newText={newText} />);
  expect(container.querySelector("figure")?.textContent).toContain(words);
  expect(container.querySelector("table")).toBeNull();
});

it("shows the path of a diff once, and further places", async () => {
  const diff = { type: "diff", path: "/a.ts", oldText: "1", newText: "2" } as const;
  const locations = [{ path: "/a.ts" }, { path: "/a.ts", line: 3 }, { path: "/b.ts" }];
  const { container } = await render(<ToolCallView entry={{ ...call, content: [diff], locations }} />);
  expect([...container.querySelectorAll(".acp-locations li")].map((item) => item.textContent)).toEqual([
    "/a.ts:3",
    "/b.ts",
  ]);
});

it("shows an image only if its size is known and within the limit", () => {
  const png = (width: number, height: number): string => {
    const bytes = new Uint8Array(32);
    bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    new DataView(bytes.buffer).setUint32(16, width);
    new DataView(bytes.buffer).setUint32(20, height);
    return btoa(String.fromCharCode(...bytes));
  };
  expect(imageSource("image/png", png(10, 10))).toMatch(/^data:image\/png;base64,/);
  expect(imageSource("image/png", png(60_000, 60_000))).toBeUndefined();
  expect(imageSource("image/svg+xml", png(1, 1))).toBeUndefined();
  expect(imageSource("image/png", '"><script>')).toBeUndefined();
  expect(
    imageSource("image/jpeg", btoa("\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x0b\x08\x00\x10\x00\x10\x01\x01")),
  ).toMatch(/^data/);
  expect(imageSource("image/gif", btoa("GIF89a\xff\xff\xff\xff"))).toBeUndefined();
  expect(imageSource("image/gif", btoa("GIF89a\x02\x00\x02\x00"))).toMatch(/^data/);
});

it("shows a tool call with its diff, and its raw values when opened", async () => {
  const { container, render: again } = await render(<ToolCallView entry={call} />);
  expect(container.querySelector(".acp-tool-call")?.getAttribute("aria-label")).toBe("Tool call: Edit a.ts");
  expect(container.textContent).toContain("+1");
  expect(container.textContent).toContain("running");
  await again(<ToolCallView entry={{ ...call, unfinished: true, title: `${rlo}gpj.exe` }} />);
  expect(container.textContent).toContain("stopped");
  expect(container.querySelector("bdi")?.textContent).toBe("\ufffdgpj.exe");
});

it("closes a tool call without lasting content when the call ends, unless the user has opened it", async () => {
  const running = { ...call, content: [] };
  const { container, render: again } = await render(<ToolCallView entry={running} />);
  const details = container.querySelector("details") as HTMLDetailsElement;
  const toggled = () => act(async () => void details.dispatchEvent(new Event("toggle")));
  await toggled(); // a browser sends this event when the component shows an open element
  await again(<ToolCallView entry={{ ...running, status: "completed" }} />);
  await toggled();
  expect(details.open).toBe(false);
  details.open = true; // the user
  await toggled();
  expect(container.textContent).toContain("Input");
  await again(<ToolCallView entry={{ ...running, status: "failed" }} />);
  expect(details.open).toBe(true);
});

it("shows only the first contents of a tool call at first, because each diff takes time", async () => {
  const diff = { type: "diff", path: "/a.ts", oldText: "1", newText: "2" } as const;
  const { container } = await render(<ToolCallView entry={{ ...call, content: Array(120).fill(diff) }} />);
  expect(container.querySelectorAll(".acp-diff")).toHaveLength(50);
  await click(button(container, "70 are not shown"));
  expect(container.querySelectorAll(".acp-diff")).toHaveLength(120);
});

describe("permissions.one-question: the card of a permission request", () => {
  const options: PermissionOption[] = [
    { optionId: "1", name: "Always", kind: "allow_always" },
    { optionId: "2", name: "Allow", kind: "allow_once" },
    { optionId: "3", name: "Reject", kind: "reject_once" },
  ];

  it("shows the command and the rest of the input, and all of a long text on demand", async () => {
    const rawInput = { command: `echo \u001b[2J${"x".repeat(5_000)} && rm`, timeout: 5 };
    const toolCall = { toolCallId: "t", title: "Tidy up", content: [], locations: [{ path: "/a", line: 2 }], rawInput };
    const { container } = await render(<PermissionCard title="Tidy up" options={options} toolCall={toolCall} />);
    expect([...container.querySelectorAll("pre, bdi")].map(({ textContent }) => textContent?.slice(0, 12))).toEqual([
      ...["Tidy up", "$ echo \ufffd[2Jx", "/a:2", '{\n  "timeout'],
    ]);
    expect(container.textContent).not.toContain("&& rm");
    await click(button(container, "more characters"));
    expect(container.querySelector("pre")?.textContent).toMatch(/x && rm$/);
  });

  it("takes the letters, and says why another key chooses nothing", async () => {
    const onDecide = vi.fn();
    const { container } = await render(<PermissionCard title="" options={options} onDecide={onDecide} autoFocus />);
    const card = container.querySelector("fieldset") as Element;
    await press(card, "x");
    expect(container.querySelector('[role="status"]')?.textContent).toBe(
      '"x" chooses nothing. The keys are a, y, n, 1–3.',
    );
    expect(onDecide).not.toHaveBeenCalled();
    for (const key of ["y", "a", "n"]) await press(card, key);
    expect(onDecide.mock.calls.map(([option]) => option.optionId)).toEqual(["2", "1", "3"]);
  });

  it("has no buttons if the user can't decide", async () => {
    const { container } = await render(<PermissionCard title="" options={options} />);
    expect(container.querySelector("button")).toBeNull();
    expect(container.textContent).toContain("Always · Allow · Reject");
  });

  it("does not take the focus from a user who is writing, whose keys would decide", async () => {
    const page = (card: ReactNode) => (
      <>
        <textarea defaultValue="say" />
        {card}
      </>
    );
    const { container, render: again } = await render(page(null));
    const field = container.querySelector("textarea") as HTMLTextAreaElement;
    field.focus();
    await again(page(<PermissionCard title="" options={options} onDecide={() => {}} autoFocus />));
    expect(document.activeElement).toBe(field);
  });

  it("shows the content of the call instead of the call's own view", async () => {
    const permission = { requestId: "p", state: "open", options } as const;
    const entry = { ...call, permission, content: [{ type: "diff", path: "/a", newText: "x" }] } as never;
    const { container, render: again } = await render(<ToolCallView entry={entry}>card</ToolCallView>);
    expect(container.querySelector(".acp-diff")).toBeNull();
    await again(<ToolCallView entry={entry} />);
    expect(container.querySelector(".acp-diff")).not.toBeNull();
  });
});

it("does not decide a permission request with a key that is held down since the request before", async () => {
  const onDecide = vi.fn();
  const options = [{ optionId: "a", name: "Allow", kind: "allow_once" }] as const;
  const { container } = await render(<PermissionCard title="Edit" options={options} onDecide={onDecide} autoFocus />);
  const card = container.querySelector("fieldset") as Element;
  await press(card, "1", { repeat: true });
  await press(card, "Escape", { repeat: true });
  expect(onDecide).not.toHaveBeenCalled();
  await press(card, "1");
  expect(onDecide).toHaveBeenCalledOnce();
});

it("shows the output of a call's terminals", async () => {
  const terminals = {
    t1: { terminalId: "t1", owner: "client", command: "ls", output: "a.ts", exit: { exitCode: 1 } },
  } as const;
  const { container } = await render(
    <ToolCallView entry={{ ...call, content: [], terminalIds: ["t1"] }} terminals={terminals} />,
  );
  expect(container.textContent).toContain("$ ls exit code 1");
  expect(container.querySelector("pre")?.textContent).toBe("a.ts");
});

it("treats states and terminals whose name is an inherited member, such as `constructor`, as unknown", async () => {
  for (const name of ["constructor", "__proto__", "toString"]) {
    const entry = { ...call, status: name as never, content: [], terminalIds: [name] };
    const { container, render: again } = await render(<ToolCallView entry={entry} defaultOpen terminals={{}} />);
    expect(container.querySelector(".acp-tool-status")?.textContent).toBe(name);
    await again(<PlanList entries={[{ content: "Look", status: name as never, priority: "low" }]} />);
    expect(container.querySelector(".acp-plan-status")?.textContent).toBe(name);
    await again(<LiveStatus entries={[entry]} activity="running" />);
    await again(<LiveStatus entries={[{ ...entry, title: "Read" }]} activity="running" />);
    expect(container.textContent).toBe(`Tool call Read: ${name}`);
  }
});

it("shows what only version 2 has: a cancelled call, and a plan in Markdown", async () => {
  const { container, render: again } = await render(<ToolCallView entry={{ ...call, status: "cancelled" }} />);
  expect(container.querySelector(".acp-tool-status")?.textContent).toBe("cancelled");
  const other = { type: "markdown", planId: "p", content: "Do **it**" } as never;
  await again(<TranscriptEntryView entry={{ key: "1", type: "plan", planId: "p", entries: [], other }} />);
  expect(container.querySelector(".acp-plan strong")?.textContent).toBe("it");
});

it("shows a child session: its title and state, and its conversation when it is opened", async () => {
  const transcript = createTranscript();
  const content = { type: "text" as const, text: "All green" };
  transcript.update({ sessionUpdate: "agent_message_chunk", content });
  const child = { sessionId: "kid", title: "Tests", state: "running", transcript: transcript.snapshot };
  const { container } = await render(<ChildSessionView child={child} />);
  expect(container.textContent).toBe("Tests running");
  const details = container.querySelector("details") as HTMLDetailsElement;
  await act(async () => {
    details.open = true;
    details.dispatchEvent(new Event("toggle"));
  });
  expect(container.textContent).toContain("All green");
});

it("has a button that stops a child session, while the child works and the agent allows that", async () => {
  const transcript = createTranscript();
  const child = { sessionId: "kid", title: "Tests", state: "running", canCancel: true } as const;
  const stopped = vi.fn();
  const shown = async (each: ComponentProps<typeof ChildSessionView>["child"]) => {
    const { container } = await render(<ChildSessionView child={each} onStop={stopped} />);
    const details = container.querySelector("details") as HTMLDetailsElement;
    await act(async () => {
      details.open = true;
      details.dispatchEvent(new Event("toggle"));
    });
    return container.querySelector("button");
  };
  expect(await shown({ ...child, transcript: transcript.snapshot })).toBeNull();
  transcript.apply({ type: "turn_joined", origin: "agent" });
  const { canCancel: _, ...fixed } = child;
  expect(await shown({ ...fixed, transcript: transcript.snapshot })).toBeNull();
  const stop = await shown({ ...child, transcript: transcript.snapshot });
  await act(async () => stop?.click());
  expect(stopped).toHaveBeenCalledOnce();
});

it("shows every kind of entry", async () => {
  const base = { key: "1" };
  const { container, render: again } = await render(
    <TranscriptEntryView entry={{ ...base, type: "notice", severity: "error", title: "Full", description: "Disk" }} />,
  );
  expect(container.textContent).toBe("Full Disk");
  await again(
    <TranscriptEntryView
      entry={{ ...base, type: "compaction", compactionId: "c", status: "completed", summary: [] }}
    />,
  );
  expect(container.textContent).toContain("completed");
  await again(<TranscriptEntryView entry={{ ...base, type: "unknown", update: { sessionUpdate: "_new" } as never }} />);
  expect(container.textContent).toBe("[_new]");
  await again(
    <TranscriptEntryView
      entry={{ ...base, type: "plan", entries: [{ content: "Look", status: "pending", priority: "low" }] }}
    />,
  );
  expect(container.textContent).toContain("Look");
  const content = [
    { type: "text", text: "hi" },
    { type: "image", mimeType: "image/png", data: "AA==" },
    { type: "audio", mimeType: "audio/wav", data: "" },
    { type: "resource_link", name: "a", uri: "file:///a" },
    { type: "resource_link", name: "b", uri: "https://b.example/" },
    { type: "resource", resource: { uri: "file:///c", text: "inside" } },
    { type: "newer" },
  ] as never;
  await again(<TranscriptEntryView entry={{ ...base, type: "agent_message", content, text: "hi" }} />);
  expect(container.textContent).toBe("hi🖼 image/png (not shown)♪ audio/wav📎 a📎 b📎 file:///cinside[newer]");
  await again(<PlanList entries={[]} />);
  expect(container.querySelector("ol")).not.toBeNull();
});

it("decides a permission by a key that the user presses in the card, and by no other key", async () => {
  const options: PermissionOption[] = [
    { optionId: "a", name: "Allow", kind: "allow_once" },
    { optionId: "r", name: "Reject", kind: "reject_once" },
  ];
  const onDecide = vi.fn();
  const { container } = await render(<PermissionCard title="Edit" options={options} onDecide={onDecide} autoFocus />);
  const card = container.querySelector("fieldset") as HTMLFieldSetElement;
  expect(document.activeElement).toBe(card);
  await press(card, "Enter");
  await press(card, "3");
  await press(card, "1", { ctrlKey: true });
  expect(onDecide).not.toHaveBeenCalled();
  await press(card, "ArrowDown");
  expect(document.activeElement?.textContent).toContain("Allow");
  await press(document.activeElement as Element, "ArrowDown");
  expect(document.activeElement?.textContent).toContain("Reject");
  await press(card, "2");
  expect(onDecide).toHaveBeenLastCalledWith(options[1]);
  await press(card, "Escape");
  expect(onDecide).toHaveBeenLastCalledWith(options[1]);
  await click(button(container, "Allow"));
  expect(onDecide).toHaveBeenLastCalledWith(options[0]);
});

it("sends prompts with commands, files and attachments", async () => {
  const sent: ContentBlock[][] = [];
  const onCancel = vi.fn();
  const onRemove = vi.fn();
  const commands = [
    { name: "plan", description: "Makes a plan" },
    { name: "explain", description: "Explains" },
  ];
  const findFiles = async (text: string) => [{ path: `src/${text}.ts`, uri: `file:///w/src/${text}.ts` }];
  const { container } = await render(
    <Composer
      onSend={(blocks) => sent.push(blocks)}
      onCancel={onCancel}
      running
      commands={commands}
      findFiles={findFiles}
      accepts={{ image: true, embeddedContext: true }}
      queued={[{ key: 1, text: "later", onRemove }]}
    />,
  );
  const input = container.querySelector("textarea") as HTMLTextAreaElement;
  await type(input, "/pla");
  expect([...container.querySelectorAll('[role="option"]')].map((option) => option.textContent)).toEqual([
    "/plan Makes a plan",
    "/explain Explains",
  ]);
  expect(input.getAttribute("aria-activedescendant")).toBe(container.querySelector('[aria-selected="true"]')?.id);
  await press(input, "ArrowDown");
  await press(input, "Enter");
  expect(input.value).toBe("/explain ");
  await type(input, "/explain @main");
  await until(() => container.querySelector('[role="option"]') !== null);
  await press(input, "Tab");
  expect(input.value).toBe("/explain @src/main.ts ");
  const picker = container.querySelector("input[type=file]") as HTMLInputElement;
  Object.defineProperty(picker, "files", { value: [new NodeFile(["text"], "a.txt", { type: "text/plain" })] });
  picker.dispatchEvent(new Event("change", { bubbles: true }));
  await until(() => container.querySelector(".acp-attachments") !== null);
  await press(input, "Enter", { shiftKey: true });
  expect(sent).toEqual([]);
  await press(input, "Enter");
  expect(sent[0]).toEqual([
    { type: "text", text: "/explain @src/main.ts " },
    { type: "resource_link", name: "src/main.ts", uri: "file:///w/src/main.ts" },
    { type: "resource", resource: { uri: "attachment:///a.txt", mimeType: "text/plain", text: "text" } },
  ]);
  expect(input.value).toBe("");
  await click(button(container, "Stop"));
  expect(onCancel).toHaveBeenCalledOnce();
  await click(button(container, "Remove the queued prompt: later"));
  expect(onRemove).toHaveBeenCalledOnce();
});

it("refuses files that the agent doesn't accept, with a sentence", async () => {
  const { container } = await render(<Composer onSend={() => {}} accepts={{ image: true }} />);
  const picker = container.querySelector("input[type=file]") as HTMLInputElement;
  Object.defineProperty(picker, "files", { value: [new NodeFile(["text"], "a.txt", { type: "text/plain" })] });
  picker.dispatchEvent(new Event("change", { bubbles: true }));
  await until(
    () => container.querySelector('[role="alert"]')?.textContent === "This agent doesn't accept files like a.txt.",
  );
});

/** Chooses files in the file picker of a composer. */
function choose(container: Element, ...files: readonly File[]): void {
  const picker = container.querySelector("input[type=file]") as HTMLInputElement;
  Object.defineProperty(picker, "files", { value: files, configurable: true });
  picker.dispatchEvent(new Event("change", { bubbles: true }));
}

it("keeps the sentence about a refused file when a later file is attached", async () => {
  const { container } = await render(<Composer onSend={() => {}} accepts={{ image: true }} />);
  choose(
    container,
    new NodeFile(["text"], "a.txt", { type: "text/plain" }) as File,
    new NodeFile(["image"], "b.png", { type: "image/png" }) as File,
  );
  await until(() => container.querySelector(".acp-attachments") !== null);
  expect(container.querySelector('[role="alert"]')?.textContent).toBe("This agent doesn't accept files like a.txt.");
  choose(container, new NodeFile(["image"], "c.png", { type: "image/png" }) as File);
  await until(() => container.querySelectorAll(".acp-attachments li").length === 2);
  expect(container.querySelector('[role="alert"]')?.textContent).toBe("");
  await click(button(container, "Remove c.png"));
  expect(document.activeElement).toBe(container.querySelector("textarea"));
});

it("sends a file that is still being read with the prompt to which it was attached", async () => {
  const sent: ContentBlock[][] = [];
  let finishReading: (content: ArrayBuffer) => void = () => {};
  const content = new Promise<ArrayBuffer>((resolve) => {
    finishReading = resolve;
  });
  const { container } = await render(<Composer onSend={(blocks) => sent.push(blocks)} accepts={{ image: true }} />);
  const input = container.querySelector("textarea") as HTMLTextAreaElement;
  const slow = { name: "a.png", size: 1, type: "image/png", arrayBuffer: () => content };
  await type(input, "Look");
  await act(async () => choose(container, slow as unknown as File));
  await press(input, "Enter");
  expect(sent).toEqual([]);
  expect(button(container, "Send").disabled).toBe(true);
  finishReading(new ArrayBuffer(1));
  await until(() => !button(container, "Send").disabled);
  await press(input, "Enter");
  expect(sent).toEqual([
    [
      { type: "text", text: "Look" },
      { type: "image", mimeType: "image/png", data: "AA==" },
    ],
  ]);
});

it("completes with the last suggestion if the list has become shorter than the selected position", async () => {
  const command = (name: string) => ({ name, description: "" });
  const composer = (names: readonly string[]) => <Composer onSend={() => {}} commands={names.map(command)} />;
  const { container, render: again } = await render(composer(["a1", "a2", "a3"]));
  const input = container.querySelector("textarea") as HTMLTextAreaElement;
  await type(input, "/a");
  await press(input, "ArrowUp");
  await again(composer(["a1", "a2"]));
  expect(document.getElementById(input.getAttribute("aria-activedescendant") ?? "")).not.toBeNull();
  await press(input, "Enter");
  expect(input.value).toBe("/a2 ");
});

it("links each mentioned file once, and no file whose path is only the beginning of a mentioned path", () => {
  const [a, b] = ["src/a.ts", "src/a.tsx"].map((path) => ({ path, uri: `file:///${path}` })) as [
    FileSuggestion,
    FileSuggestion,
  ];
  expect(mentionedFiles([a, b, b], "compare @src/a.tsx with @src/a.tsx")).toEqual([b]);
  expect(mentionedFiles([b, a], "@src/a.ts, @src/a.tsx")).toEqual([b, a]);
});

it("returns the focus to the element that had it, when a card with the focus disappears", async () => {
  const options: PermissionOption[] = [{ optionId: "a", name: "Allow", kind: "allow_once" }];
  const form = { mode: "form", sessionId: "s", message: "?", requestedSchema: { type: "object", properties: {} } };
  const page = (card: ReactNode) => (
    <>
      <textarea />
      {card}
    </>
  );
  const { container, render: again } = await render(page(undefined));
  const input = container.querySelector("textarea") as HTMLTextAreaElement;
  input.focus();
  await again(page(<PermissionCard title="Edit" options={options} onDecide={() => {}} autoFocus />));
  await press(document.activeElement as Element, "ArrowDown");
  expect(document.activeElement?.textContent).toContain("Allow");
  await again(page(undefined));
  expect(document.activeElement).toBe(input);
  await again(page(<FormCard request={form as never} onRespond={() => {}} />));
  await act(async () => button(container, "Send").focus());
  await again(page(undefined));
  expect(document.activeElement).toBe(input);
});

it("shows the default of a choice, and requires a choice if there is none", async () => {
  const onRespond = vi.fn();
  const properties = {
    spaced: { type: "string", enum: ["a", "b  c"], default: "b  c" },
    long: { type: "string", enum: ["a", "x".repeat(600)], default: "x".repeat(600) },
    open: { type: "string", enum: ["a", "b"] },
  };
  const requestedSchema = { type: "object", required: ["spaced", "open"], properties };
  const request = { mode: "form", sessionId: "s", message: "?", requestedSchema } as never;
  const { container } = await render(<FormCard request={request} onRespond={onRespond} />);
  const selects = [...container.querySelectorAll("select")];
  expect(selects.map(({ value }) => value)).toEqual(["b  c", "x".repeat(600), ""]);
  expect(selects.map((select) => select.checkValidity())).toEqual([true, true, false]);
});

it("shows all options and choices of an agent that repeats an id", async () => {
  const errors = vi.spyOn(console, "error");
  const options = ["Allow", "Reject"].map((name) => ({ optionId: "same", name, kind: "allow_once" as const }));
  const properties = { choice: { type: "string", enum: ["a", "a"] } };
  const request = { mode: "form", sessionId: "s", message: "?", requestedSchema: { type: "object", properties } };
  const { container } = await render(
    <>
      <PermissionCard title="Edit" options={options} onDecide={() => {}} />
      <FormCard request={request as never} onRespond={() => {}} />
    </>,
  );
  expect(container.querySelectorAll(".acp-permission button")).toHaveLength(2);
  expect(errors).not.toHaveBeenCalled();
  errors.mockRestore();
});

it("examines an image once, and not each time the text after it becomes longer", async () => {
  const decode = vi.spyOn(globalThis, "atob");
  const image = { type: "image", mimeType: "image/png", data: "AA==" };
  const blocks = (text: string) => <ContentBlocks content={[image, { type: "text", text }] as never} streaming />;
  const { render: again } = await render(blocks("a"));
  const count = decode.mock.calls.length;
  await again(blocks("a b"));
  expect(decode.mock.calls.length).toBe(count);
  decode.mockRestore();
});

it("fills in a form, and opens no page by itself", async () => {
  const onRespond = vi.fn();
  const request = {
    mode: "form",
    sessionId: "s",
    message: "Settings",
    requestedSchema: {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string", title: "Name", default: "Ann" },
        age: { type: "integer", minimum: 1, default: 7 },
        agree: { type: "boolean", default: true },
        colour: { type: "string", enum: ["red", "blue"], default: "blue" },
        tags: {
          type: "array",
          items: {
            anyOf: [
              { const: "a", title: "A" },
              { const: "b", title: "B" },
            ],
          },
          default: ["b"],
        },
        ["__proto__"]: { type: "string", default: "x" },
      },
    },
  } as never;
  const { container, render: again } = await render(<FormCard request={request} onRespond={onRespond} />);
  await click(button(container, "Send"));
  expect(onRespond).toHaveBeenLastCalledWith({
    action: "accept",
    content: expect.objectContaining({ name: "Ann", age: 7, agree: true, colour: "blue", tags: ["b"] }),
  });
  await click(button(container, "Decline"));
  expect(onRespond).toHaveBeenLastCalledWith({ action: "decline" });
  const page = (url: string) => ({ mode: "url", sessionId: "s", message: "Log in", elicitationId: "e", url }) as never;
  await again(<FormCard request={page("javascript:alert(1)")} onRespond={onRespond} />);
  expect(container.querySelector("a")).toBeNull();
  await again(<FormCard request={page("https://example.com/login")} onRespond={onRespond} completed />);
  expect(container.querySelector("a")?.getAttribute("rel")).toContain("noopener");
  await click(button(container, "Done"));
  expect(onRespond).toHaveBeenLastCalledWith({ action: "accept" });
});

it("shows fields of an unknown type, whose members may have any value", async () => {
  const odd = { toString: 1 };
  const properties = {
    listed: { type: "new", enum: [odd, 1], default: [odd] },
    titled: { type: "new", oneOf: [{ const: odd, title: odd }] },
    formatted: { type: "new", format: odd },
    inherited: { type: "new", format: "constructor" },
  };
  const requestedSchema = { type: "object", properties };
  const request = { mode: "form", sessionId: "s", message: "Fill in", requestedSchema } as never;
  const { container } = await render(<FormCard request={request} onRespond={() => {}} />);
  expect(container.querySelectorAll(".acp-field")).toHaveLength(4);
  expect([...container.querySelectorAll("input")].map(({ type }) => type)).toEqual(["text", "text"]);
});

it("sends a form only if its lists and texts have the lengths that the agent requires, and leaves patterns to the agent", async () => {
  const onRespond = vi.fn();
  const items = { type: "string", enum: ["a", "b", "c"] };
  const properties = {
    few: { type: "array", items, minItems: 2, maxItems: 2, default: ["a"] },
    code: { type: "string", pattern: "^(a+)+$", default: `${"a".repeat(5_000)}!` },
    short: { type: "string", minLength: 2, default: "\u{1F600}" },
    long: { type: "string", maxLength: 2, default: "\u{1F600}\u{1F600}" },
    none: { type: "array", items, minItems: 1 },
  };
  const request = { mode: "form", sessionId: "s", message: "?", requestedSchema: { type: "object", properties } };
  const { container } = await render(<FormCard request={request as never} onRespond={onRespond} />);
  const texts = (): (string | null)[] =>
    [...container.querySelectorAll(".acp-problem")].map(({ textContent }) => textContent);
  const control = (index: number) => container.querySelector(`[name="field-${index}"]`);
  await click(button(container, "Send"));
  expect(texts()).toEqual(["Choose at least 2.", "Write at least 2 characters."]);
  expect(document.activeElement).toBe(control(0));
  expect(control(2)?.getAttribute("aria-invalid")).toBe("true");
  for (const option of (control(0) as HTMLSelectElement).options) option.selected = true;
  await type(control(2) as HTMLInputElement, "ab");
  await click(button(container, "Send"));
  expect(texts()).toEqual(["Choose at most 2."]);
  expect(onRespond).not.toHaveBeenCalled();
  for (const [index, option] of [...(control(0) as HTMLSelectElement).options].entries()) option.selected = index > 0;
  await click(button(container, "Send"));
  expect(texts()).toEqual([]);
  const { code, few, long, none } = onRespond.mock.calls[0]?.[0].content ?? {};
  expect({ code, few, long, none }).toEqual({
    code: properties.code.default,
    few: ["b", "c"],
    long: properties.long.default,
  });
});

it("announces turns and tool calls, and not every chunk", async () => {
  const message = { type: "agent_message", key: "2", content: [], text: "All done" } as const;
  const { container, render: again } = await render(<LiveStatus entries={[]} activity="idle" />);
  const text = (): string | null | undefined => container.querySelector('[role="status"]')?.textContent;
  await again(<LiveStatus entries={[]} activity="running" />);
  expect(text()).toBe("The agent works.");
  await again(<LiveStatus entries={[{ ...call, status: "completed" }]} activity="running" />);
  expect(text()).toBe("Tool call Edit a.ts: done");
  await again(<LiveStatus entries={[message]} activity="running" />);
  expect(text()).toBe("Tool call Edit a.ts: done");
  await again(<LiveStatus entries={[message]} activity="idle" />);
  expect(text()).toBe("The agent has finished. All done");
});

it("announces a permission request that arrives together with the beginning of its turn", async () => {
  const { container, render: again } = await render(<LiveStatus entries={[]} activity="idle" />);
  const asked = { ...call, permission: { state: "open" } } as unknown as ToolCallEntry;
  await again(<LiveStatus entries={[asked]} activity="running" />);
  expect(container.textContent).toContain("waits for your permission");
});
