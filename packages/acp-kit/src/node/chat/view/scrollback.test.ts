import { createTranscript } from "@acp-kit/client";
import type { IncomingSessionUpdate } from "@acp-kit/types";
import { describe, expect, it } from "vitest";
import { createPaint } from "../text/paint.js";
import { Scrollback } from "./scrollback.js";

const canvas = { columns: 60, paint: createPaint(false) };

/** A terminal that draws updates. */
function terminal() {
  const transcript = createTranscript();
  const scrollback = new Scrollback();
  transcript.apply({ type: "prompt_sent", prompt: [{ type: "text", text: "go" }] });
  const draw = (flush = false) => scrollback.advance(transcript.snapshot, { canvas, cwd: "/w", flush, spinner: "*" });
  return {
    draw,
    say: (text: string) => transcript.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }),
    update: (update: object) => transcript.update(update as IncomingSessionUpdate),
    apply: transcript.apply.bind(transcript),
  };
}

const call = { sessionUpdate: "tool_call", toolCallId: "1", title: "Read a", kind: "read" };
const more = { sessionUpdate: "tool_call_update", toolCallId: "1" };

describe("settled entries are written once, other entries are drawn in the live area", () => {
  it("writes a message block by block", () => {
    const { draw, say } = terminal();
    say("First bl");
    expect(draw()).toEqual({ settled: ["", "› go"], live: ["First bl"] });
    say("ock.\n\nSecond");
    expect(draw()).toEqual({ settled: ["", "First block."], live: ["Second"] });
    expect(draw()).toEqual({ settled: [], live: ["Second"] });
    expect(draw(true)).toEqual({ settled: ["", "Second"], live: [] });
    expect(draw(true)).toEqual({ settled: [], live: [] });
  });

  it("writes a tool call when it has ended, and meanwhile writes the messages after it", () => {
    const { draw, say, update } = terminal();
    draw();
    update({ ...call, status: "in_progress" });
    say("Meanwhile.\n\nMore");
    expect(draw()).toEqual({ settled: ["", "Meanwhile."], live: ["* Read a", "", "More"] });
    update({ ...more, status: "completed" });
    expect(draw()).toEqual({ settled: ["", "✓ Read a"], live: ["More"] });
  });

  it("writes a message again that the agent has replaced", () => {
    const { draw, say, update } = terminal();
    say("First block.\n\nSecond");
    expect(draw()).toEqual({ settled: ["", "› go", "", "First block."], live: ["Second"] });
    const messageId = "m1";
    update({ sessionUpdate: "agent_message", messageId, content: [{ type: "text", text: "One.\n\nTwo" }] });
    draw(); // it is another message, because the first one has no id
    update({ sessionUpdate: "agent_message", messageId, content: [{ type: "text", text: "Three.\n\nFour" }] });
    expect(draw()).toEqual({ settled: ["", "Three."], live: ["Four"] });
  });

  it("writes a cancelled call, which only version 2 has, and plans of Markdown", () => {
    const { draw, update, apply } = terminal();
    draw();
    update({ ...call, status: "paused" });
    expect(draw()).toEqual({ settled: [], live: ["○ Read a  paused"] });
    update({ ...more, status: "cancelled" });
    expect(draw()).toEqual({ settled: ["", "■ Read a  cancelled"], live: [] });
    update({ sessionUpdate: "plan_update", plan: { type: "markdown", planId: "1", content: "Do **it**" } });
    update({ sessionUpdate: "plan_update", plan: { type: "items", planId: "2", entries: [] } });
    apply({ type: "turn_ended", stopReason: "end_turn" });
    expect(draw(true).settled).toEqual(["", "Plan", "Do **it**"]);
  });

  it("writes no empty line between tool calls of one line", () => {
    const { draw, update } = terminal();
    draw();
    update({ ...call, status: "completed" });
    update({ ...call, toolCallId: "2", status: "completed" });
    expect(draw().settled).toEqual(["", "✓ Read a", "✓ Read a"]);
  });

  it("writes a plan at the end of its turn, in its final state", () => {
    const { draw, update } = terminal();
    draw();
    const entry = { content: "Do it", priority: "high" };
    update({ sessionUpdate: "plan", entries: [{ ...entry, status: "pending" }] });
    expect(draw()).toEqual({ settled: [], live: [] });
    update({ sessionUpdate: "plan", entries: [{ ...entry, status: "completed" }] });
    expect(draw(true).settled).toEqual(["", "Plan 1 of 1", "✔ Do it"]);
  });

  it("writes a call of a cancelled turn once, when the agent has sent how it ended or the turn is over", () => {
    const { draw, update, apply } = terminal();
    draw();
    update({ ...call, status: "in_progress" });
    update({ ...call, toolCallId: "2", title: "Read b", status: "in_progress" });
    apply({ type: "turn_cancelled" });
    expect(draw()).toEqual({ settled: [], live: ["■ Read a  stopped", "", "■ Read b  stopped"] });
    update({ ...more, status: "failed" });
    expect(draw()).toEqual({ settled: ["", "✗ Read a  failed"], live: ["■ Read b  stopped"] });
    apply({ type: "turn_ended", stopReason: "cancelled" });
    expect(draw()).toEqual({ settled: ["■ Read b  stopped"], live: [] });
  });

  it("shows an unfinished call as stopped, and draws it again if it continues", () => {
    const { draw, update, apply } = terminal();
    draw();
    update({ ...call, status: "in_progress" });
    apply({ type: "turn_ended", stopReason: "end_turn" });
    expect(draw(true).settled).toEqual(["", "■ Read a  stopped"]);
    update({ ...more, status: "completed" });
    expect(draw().settled).toEqual(["", "✓ Read a"]);
  });
});

describe("a child session", () => {
  const announce = (state: object, sessionId = "kid", title = "Te\u001b[2Jsts") => ({
    sessionUpdate: "subagent_update",
    sessionId,
    title,
    state,
  });
  const running = announce({ state: "running" });

  function withChild() {
    const view = terminal();
    view.draw();
    view.update(running);
    const ofChild = (update: object) =>
      view.apply({
        type: "child",
        sessionId: "kid",
        event: { type: "update", update: update as IncomingSessionUpdate },
      });
    const sayInChild = (text: string) =>
      ofChild({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    return { ...view, ofChild, sayInChild };
  }

  it("shows its tool calls while it works, and its last message when its work has ended, each time once", () => {
    const { draw, update, ofChild, sayInChild } = withChild();
    ofChild({ ...call, status: "in_progress" });
    expect(draw()).toEqual({ settled: [], live: ["* Subagent Tests  running", "  * Read a"] });
    ofChild({ ...more, status: "completed" });
    sayInChild("All \u001b]0;x\u0007green");
    update(announce({ state: "idle", stopReason: "end_turn" }));
    expect(draw()).toEqual({ settled: ["", "✓ Subagent Tests  completed", "  All green"], live: [] });
    expect(draw(true).settled).toEqual([]);
    update(running);
    expect(draw().live).toHaveLength(2);
    update(announce({ state: "idle", stopReason: "cancelled" }));
    expect(draw().settled[1]).toBe("■ Subagent Tests  cancelled");
  });

  it("is written at the end of the turn while it works, and again when it has failed", () => {
    const { draw, update, apply, ofChild } = withChild();
    ofChild({ ...call, status: "failed" });
    apply({ type: "turn_ended", stopReason: "end_turn" });
    expect(draw(true)).toEqual({ settled: ["", "● Subagent Tests  running", "  ✗ Read a  failed"], live: [] });
    expect(draw(true).settled).toEqual([]);
    update(announce({ state: "failed" }));
    expect(draw().settled).toEqual(["", "✗ Subagent Tests  failed", "  ✗ Read a  failed"]);
  });

  it("versions.subagents-shown: it is drawn in part, and says how much is left out", () => {
    const { draw, update, ofChild, sayInChild } = withChild();
    for (let id = 1; id <= 8; id += 1) ofChild({ ...call, toolCallId: String(id), status: "completed" });
    for (let id = 2; id <= 8; id += 1) update(announce({ state: "running" }, `kid ${id}`, "x".repeat(1000)));
    const { live } = draw();
    expect(live.slice(0, 3)).toEqual(["* Subagent Tests  running", "  … 2 earlier tool calls", "  ✓ Read a"]);
    expect(live.filter((line) => line.includes("Subagent"))).toHaveLength(5);
    expect(live.at(-1)).toBe("… 3 more subagents");
    sayInChild("line\n".repeat(20));
    update(announce({ state: "completed" }));
    expect(draw().settled).toEqual([
      "",
      "✓ Subagent Tests  completed",
      ...Array(6).fill("  line"),
      "  … 14 more lines",
    ]);
  });
});

describe("a tool call", () => {
  it("shows its subject once, and code without fences", () => {
    const { draw, update } = terminal();
    draw();
    const content = [
      { type: "content", content: { type: "text", text: "```console\nok\n```" } },
      { type: "diff", path: "/w/a.ts", oldText: "a", newText: "b" },
    ];
    update({
      ...call,
      title: "/w/a.ts",
      status: "completed",
      content,
      locations: [{ path: "/w/a.ts" }, { path: "/w" }],
    });
    expect(draw().settled).toEqual(["", "✓ a.ts", "  ok", "  1 - a", "  1 + b"]);
  });

  it("shows its diff, its locations relative to the folder, and the reason of its failure", () => {
    const { draw, update } = terminal();
    draw();
    const content = [{ type: "diff", path: "/w/src/a.ts", oldText: "a\n", newText: "b\n" }];
    update({ ...call, title: "Edit", status: "completed", content, locations: [{ path: "/w/src/a.ts", line: 3 }] });
    update({
      ...call,
      toolCallId: "2",
      title: "Run",
      status: "failed",
      rawOutput: { error: "no \u001b[2Jsuch thing" },
    });
    expect(draw().settled).toEqual([
      "",
      "✓ Edit  src/a.ts:3",
      "  src/a.ts",
      "  1 - a",
      "  1 + b",
      "",
      "✗ Run  failed",
      "  no such thing",
    ]);
  });

  it("shows the end of its terminal while it runs, and the exit code", () => {
    const { draw, update, apply } = terminal();
    draw();
    update({ ...call, title: "Test", status: "in_progress", content: [{ type: "terminal", terminalId: "t" }] });
    apply({ type: "terminal", terminalId: "t", command: "npm test" });
    for (let line = 1; line <= 20; line += 1) apply({ type: "terminal", terminalId: "t", data: `line ${line}\n` });
    expect(draw().live.slice(0, 4)).toEqual(["* Test", "  $ npm test", "  │ … 12 earlier lines", "  │ line 13"]);
    apply({ type: "terminal", terminalId: "t", exit: { exitCode: 2 } });
    update({ ...more, status: "failed" });
    expect(draw().settled.at(-1)).toBe("  exit code 2");
  });
});
