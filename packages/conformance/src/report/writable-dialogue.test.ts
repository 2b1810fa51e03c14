import { expect, it } from "vitest";
import { DialogueLog } from "../dialogue.js";
import { writableDialogue } from "./writable-dialogue.js";

const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

it.each([511, 512])("does not change a message of %i levels", (levels) => {
  const log = new DialogueLog("connection 1");
  log.message("agent", nested(levels));
  log.event("the agent exited");
  expect(writableDialogue(log)).toEqual({ name: "connection 1", entries: log.entries });
});

it.each([513, 10_000, 100_000])(
  "replaces a message of %i levels with a note, so that the report can be written",
  (levels) => {
    const log = new DialogueLog("connection 1");
    log.message("agent", { jsonrpc: "2.0", id: 1, result: nested(levels - 1) });
    const writable = writableDialogue(log);
    expect(writable.entries).toMatchObject([{ seq: 0, from: "agent", because: expect.stringContaining("512 levels") }]);
    expect(JSON.stringify(writable)).toContain("nested more than");
  },
);
