import type { ToolCallEntry } from "@acp-kit/client";
import type { ReactElement } from "react";
import { createRoot } from "react-dom/client";
import {
  BackgroundList,
  Composer,
  ContentBlocks,
  DiffView,
  FormCard,
  LiveStatus,
  Markdown,
  PermissionCard,
  PlanList,
  TerminalOutput,
  ToolCallView,
  TranscriptEntryView,
} from "../src/index.js";

// Pages for browser.test.ts: one for each component, in the states that differ most.

const options = (["allow_once", "allow_always", "reject_once", "reject_always"] as const).map((kind) => ({
  optionId: kind,
  name: kind,
  kind,
}));
const call: ToolCallEntry = {
  type: "tool_call",
  key: "1",
  toolCallId: "c",
  title: "Edit a.ts",
  kind: "edit",
  status: "in_progress",
  content: [
    { type: "diff", path: "/a.ts", oldText: "a\nb\n", newText: "a\nc\n" },
    { type: "terminal", terminalId: "t" },
  ],
  locations: [{ path: "/a.ts", line: 3 }],
  terminalIds: ["t"],
  rawInput: { path: "/a.ts" },
};
// The output sets colours of text but no background. If a program sets both, the contrast is its own responsibility.
const terminals = { t: { terminalId: "t", command: "ls", output: "\u001b[31mred\u001b[32mgreen" } } as never;
const nothing = (): void => {};
const changes = [{ operation: "move", oldPath: "/a.ts", path: "/b.ts" }];
const text = "diff --git /a.ts /b.ts\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n";
const moved = {
  type: "content",
  content: { type: "text", text: "Moved" },
  _meta: { "acp-kit/diff": { changes, patch: { format: "git_patch", text } } },
};

const requestedSchema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", title: "Name", description: "Your whole name" },
    email: { type: "string", format: "email" },
    size: { type: "string", enum: ["S", "M"] },
    age: { type: "integer", minimum: 0 },
    agree: { type: "boolean", title: "I agree" },
    toppings: { type: "array", items: { type: "string", enum: ["cheese", "ham"] } },
  },
} as const;

/** The pages, by name. */
const pages: Readonly<Record<string, () => ReactElement>> = {
  form: () => <FormCard request={{ message: "Please fill in", requestedSchema } as never} onRespond={nothing} />,
  "web page": () => (
    <FormCard request={{ message: "Please pay", url: "https://example.com/" } as never} onRespond={nothing} completed />
  ),
  "unsafe web page": () => (
    <FormCard request={{ message: "Please pay", url: "javascript:alert(1)" } as never} onRespond={nothing} />
  ),
  permission: () => <PermissionCard title="Edit a.ts" options={options} onDecide={nothing} autoFocus />,
  plan: () => (
    <PlanList
      entries={(["pending", "in_progress", "completed"] as const).map((status) => ({
        content: status,
        status,
        priority: "high",
      }))}
    />
  ),
  "tool call": () => <ToolCallView entry={call} terminals={terminals} />,
  "failed tool call": () => <ToolCallView entry={{ ...call, status: "failed", rawOutput: { error: "none" } }} />,
  "background work": () => (
    <BackgroundList
      transcript={{
        background: [
          { type: "tool_call", toolCallId: "c" },
          { type: "terminal", terminalId: "t" },
        ],
        entries: [{ ...call, canCancel: true }],
        terminals,
      }}
      onStop={nothing}
    />
  ),
  patch: () => <ToolCallView entry={{ ...call, content: [moved as never], canCancel: true }} onStop={nothing} />,
  diff: () => <DiffView path="/a.ts" oldText={"one\ntwo\n"} newText={"one\n2\n"} />,
  terminal: () => (
    <TerminalOutput
      output={"plain \u001b[1;33mbold\u001b[0m\n\u001b[7minverse\u001b[0m \u001b[30mblack\u001b[41mon red"}
    />
  ),
  content: () => (
    <ContentBlocks
      content={[
        { type: "text", text: "Words" },
        { type: "resource_link", name: "a.ts", uri: "https://example.com/a.ts" },
        { type: "resource", resource: { uri: "file:///b.ts", text: "const b = 1;" } },
        { type: "audio", mimeType: "audio/wav", data: "AAAA" },
        {
          type: "image",
          mimeType: "image/gif",
          data: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
        },
      ]}
    />
  ),
  markdown: () => (
    <Markdown
      text={
        "# Title\n\n## Part\n\n*a* **b** ~~c~~ `d` [link](https://example.com)\n\n> quoted\n\n1. one\n2. two\n\n- [x] done\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```ts\nconst a = 1;\n```\n\n---\n\n![picture](https://example.com/p.png)"
      }
    />
  ),
  "streaming markdown": () => <Markdown streaming text={"Words **and** ```ts\nconst"} />,
  composer: () => (
    <Composer
      onSend={nothing}
      onCancel={nothing}
      running
      accepts={{ image: true }}
      queued={[{ key: 1, text: "Next", onRemove: nothing }]}
    />
  ),
  "disabled composer": () => <Composer onSend={nothing} disabled />,
  status: () => <LiveStatus entries={[call]} activity="running" />,
  entries: () => (
    <>
      <TranscriptEntryView
        entry={{ type: "thought", key: "1", content: [{ type: "text", text: "Hm" }], text: "Hm" } as never}
      />
      <TranscriptEntryView
        entry={{ type: "notice", key: "2", severity: "error", title: "Full", description: "Disk" } as never}
      />
      <TranscriptEntryView
        entry={{ type: "compaction", key: "3", compactionId: "c", status: "completed", summary: [] } as never}
      />
      <TranscriptEntryView entry={{ type: "unknown", key: "4", update: { sessionUpdate: "_new" } } as never} />
    </>
  ),
};

const element = document.getElementById("root");
const root = element === null ? undefined : createRoot(element);
const show = (name: string): void => {
  const Page = pages[name] as () => ReactElement;
  root?.render(
    <main key={name}>
      <h1>{name}</h1>
      <Page />
    </main>,
  );
};
Object.assign(globalThis, { show, names: Object.keys(pages) });
