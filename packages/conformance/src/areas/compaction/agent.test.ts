import { expect, test } from "vitest";
import { agentWatches } from "../../agent/agent-checks.js";
import { DialogueLog } from "../../dialogue.js";

const watches = agentWatches.filter(({ id }) => id === "watch/compaction-order");

const text = { type: "text", text: "In short" };

/** Returns the rules that an agent breaks with these updates about one compaction. */
function brokenBy(...updates: readonly object[]): string[] {
  const log = new DialogueLog("connection 1");
  for (const each of updates) {
    const update = { sessionUpdate: "compaction_update", compactionId: "c", ...each };
    log.message("agent", { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
  }
  return watches.flatMap((watch) => watch.watch(log).findings.map(({ requirement }) => requirement));
}

const chunk = { sessionUpdate: "compaction_summary_chunk", content: text };

test.each([
  [[{ status: "in_progress" }, chunk, { status: "completed", summary: [text] }]],
  [[{ status: "completed", summary: [text] }]],
  [
    [
      { status: "in_progress", summary: [] },
      { status: "failed", error: "no model" },
    ],
  ],
  [
    [
      { status: "in_progress", summary: null, error: null },
      { status: "cancelled", summary: [] },
    ],
  ],
])("a compaction with the updates %j breaks no rule", (updates) => {
  expect(brokenBy(...updates)).toEqual([]);
});

test.each(["_paused", "queued"])("the status %s does not end a compaction, because the enum is open", (status) => {
  expect(brokenBy({ status: "in_progress" }, { status }, chunk, { status: "in_progress" })).toEqual([]);
  expect(brokenBy({ status: "in_progress" }, { status, summary: [text], error: "?" }, { status: "completed" })).toEqual(
    [],
  );
});

test.each(["in_progress", "failed", "cancelled"])("a summary with the status %s breaks COMPACT-08", (status) => {
  expect(brokenBy({ status, summary: [text] })).toEqual(["COMPACT-08"]);
});

test.each(["in_progress", "completed", "cancelled"])("an error with the status %s breaks COMPACT-08", (status) => {
  expect(brokenBy({ status, error: "no model" })).toEqual(["COMPACT-08"]);
});

test("an id that is used again, a second end, and a chunk after the end break their rules", () => {
  expect(brokenBy({ status: "completed" }, { status: "in_progress" })).toEqual(["COMPACT-02"]);
  expect(brokenBy({ status: "completed" }, { status: "failed" })).toEqual(["COMPACT-04"]);
  expect(brokenBy({ status: "completed" }, chunk)).toEqual(["COMPACT-06"]);
  expect(brokenBy(chunk)).toEqual(["COMPACT-06"]);
});
