import type { Session } from "@acp-kit/client";
import { RpcError } from "@acp-kit/protocol";
import { type V2ScriptedAgent, v2AgentScript } from "@acp-kit/testing/v2";
import { v2 } from "@acp-kit/v2/client";
import { act, type ReactElement } from "react";
import { expect, it, onTestFinished } from "vitest";
import { button, click, render, until } from "../../test/render.js";
import {
  AgentProvider,
  BackgroundList,
  createAgentStore,
  SessionComposer,
  TranscriptEntryView,
  useBackground,
  useSession,
  useTranscript,
  useTurn,
} from "../index.js";
import { patchLines } from "./tool-call/patch-view.js";

const request = { cwd: "/work" };
let session: Session | undefined;

function Page(): ReactElement {
  ({ session } = useSession(request));
  const transcript = useTranscript(session);
  const { stop } = useBackground(session);
  const { queued } = useTurn(session);
  return (
    <>
      <output>{queued.map(({ state }) => state).join(" ")}</output>
      {transcript.entries.map((entry) => (
        <TranscriptEntryView key={entry.key} entry={entry} terminals={transcript.terminals} onStop={stop} />
      ))}
      <BackgroundList transcript={transcript} onStop={stop} />
      <SessionComposer session={session} />
    </>
  );
}

/** A page that is connected to a scripted agent of version 2. */
async function connected(
  script = v2AgentScript(),
): Promise<{ container: HTMLElement; agent: V2ScriptedAgent; session: Session }> {
  const agents: V2ScriptedAgent[] = [];
  const open = () => {
    const agent = script.inMemory();
    agents.push(agent);
    return agent.transport;
  };
  const info = { name: "page", version: "1" };
  const store = createAgentStore(open, { info, versions: [v2], concurrentPrompts: "send" });
  onTestFinished(async () => {
    await store.close();
    for (const agent of agents) await agent.close();
  });
  const { container } = await render(
    <AgentProvider store={store}>
      <Page />
    </AgentProvider>,
  );
  await until(() => session !== undefined);
  return { container, agent: agents[0] as V2ScriptedAgent, session: session as Session };
}

const cancellable = { capabilities: { cancel: {} } } as const;
const bytes = btoa("3 passed\n");

it("lists the work that continues after a turn, and stops its calls and terminals", async () => {
  const script = v2AgentScript()
    .on("tool_call/cancel", {})
    .on("terminal/cancel", () => {
      throw new RpcError(-32602, "it has just ended");
    })
    .onPrompt((work) => {
      work.update({ sessionUpdate: "terminal_update", terminalId: "t", command: "npm test", ...cancellable } as never);
      const content = [{ type: "terminal", terminalId: "t" }] as never;
      work.toolCall({ toolCallId: "run", title: "Run the tests", status: "in_progress", content });
      work.toolCall({ toolCallId: "index", title: "Index the files", status: "in_progress", ...cancellable });
      work.update({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data: bytes } as never);
      work.agent.background(work.sessionId, [
        { type: "terminal", terminalId: "t" },
        { type: "tool_call", toolCallId: "index" },
      ]);
    });
  const { container, agent, session } = await connected(script);
  const { sessionId } = session;
  await act(async () => void session.prompt("go"));
  const list = () => container.querySelector(".acp-background");
  await until(() => list() !== null && session.activity === "idle");
  expect([...(list()?.querySelectorAll("bdi") ?? [])].map((name) => name.textContent)).toEqual([
    "npm test",
    "Index the files",
  ]);
  expect(container.querySelector(".acp-terminal")?.textContent).toBe("3 passed\n");
  await click(button(container, "Stop Index the files"));
  expect(await agent.received("tool_call/cancel")).toMatchObject({ params: { sessionId, toolCallId: "index" } });
  await click(button(list() as Element, "Stop npm test"));
  expect(await agent.received("terminal/cancel")).toMatchObject({ params: { sessionId, terminalId: "t" } });
  await until(() => list()?.querySelector('[role="alert"]') !== null);
  await act(async () => {
    const ends = [
      { sessionUpdate: "terminal_update", terminalId: "t", exitStatus: { exitCode: 0 } },
      { sessionUpdate: "tool_call_update", toolCallId: "index", status: "cancelled" },
    ];
    for (const update of ends) void agent.notify("session/update", { sessionId, update } as never);
    agent.background(sessionId, []);
  });
  await until(() => list() === null);
  expect([...container.querySelectorAll("button")].filter(({ ariaLabel }) => ariaLabel?.startsWith("Stop"))).toEqual(
    [],
  );
});

it("shows a prompt that the agent holds in the queue, and withdraws only this prompt", async () => {
  const { container, agent, session } = await connected(
    v2AgentScript()
      .onPrompt("held", async (work) => {
        await work.cancelled;
        return "cancelled";
      })
      .onPrompt(async (work) => {
        work.message("working");
        await work.cancelled;
      }),
  );
  const [first, held] = await act(async () => [session.prompt("first"), session.prompt("held")] as const);
  await first.inserted;
  await until(() => container.querySelector("output")?.textContent === "held");
  expect(container.querySelector(".acp-queue")?.textContent).toContain("held");
  await click(container.querySelector(".acp-queue button"));
  await agent.received("$/cancel_request");
  expect(await held.result).toMatchObject({ stopReason: "cancelled" });
  expect([first.state, session.activity]).toEqual(["running", "running"]);
  await act(async () => first.cancel());
  await until(() => container.querySelector(".acp-queue") === null);
});

const patch = `diff --git /a.ts /a.ts
--- /a.ts
+++ /a.ts
@@ -10,3 +10,3 @@ function a() {
 one
-two
+2
 three
diff --git /old.ts /new.ts
rename from /old.ts
rename to /new.ts
@@ -1 +1 @@
--- x
\\ No newline at end of file
+++ y
\\ No newline at end of file
`;

it("shows a diff with its numbers of lines, and files that are moved, deleted or changed in another way", async () => {
  const changes = [
    { operation: "modify", path: "/a.ts" },
    { operation: "move", oldPath: "/old.ts", path: "/new.ts" },
    { operation: "delete", path: "/b.ts" },
    { operation: "_chmod", path: "/c.ts" },
  ];
  const content = [{ type: "diff", changes, patch: { format: "git_patch", text: patch } }] as never;
  const { container, session } = await connected(
    v2AgentScript().onPrompt((work) => void work.toolCall({ title: "Change", status: "completed", content })),
  );
  await act(async () => void (await session.prompt("go").result));
  await until(() => container.querySelector(".acp-diff") !== null);
  expect(container.querySelectorAll(".acp-diff")).toHaveLength(1);
  expect(container.querySelector(".acp-diff figcaption")?.textContent).toBe(
    "/a.ts moved /old.ts → /new.ts deleted /b.ts _chmod /c.ts  +2 −2",
  );
  const rows = [...container.querySelectorAll(".acp-diff tr")].map((row) =>
    [...row.querySelectorAll("td")].map((cell) => cell.textContent).join("|"),
  );
  expect(rows).toEqual([
    "||⋯|/a.ts /a.ts",
    "10|10| |one",
    "11||−|two",
    "|11|+|2",
    "12|12| |three",
    "||⋯|/old.ts /new.ts",
    "1||−|-- x",
    "|1|+|++ y",
  ]);
});

it("hostile.markdown: reads any patch", () => {
  for (const text of [
    "",
    "@@ -1 +1 @@",
    "@@ -9999999999 +1 @@\n+a",
    "diff --git a",
    "@@ -1,5 +1,5 @@\nx\n\\",
    "+a\n-b",
  ])
    expect(patchLines(text).lines.every(({ text }) => typeof text === "string")).toBe(true);
});
