import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { SessionJournal } from "../journal/session-journal.js";
import { journalResponse } from "./journal-stream.js";

const empty: SessionJournal = {
  last: { seq: 0, epoch: 0 },
  read: async () => ({ is: "page", entries: [] }),
  onAppend: () => () => {},
  close: () => {},
};
const options = { longPollMs: 50, eventsMs: 50 };

/** Collects garbage in a later task, because a weakly held object stays in memory until the current task ends. */
async function collectGarbage(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

describe("a live response without entries ends after its time, although garbage was collected meanwhile", () => {
  it("a long poll", async () => {
    const request = new Request("http://127.0.0.1/?offset=now&live=long-poll");
    const response = journalResponse(request, empty, options);
    await collectGarbage();
    expect((await response).status).toBe(204);
  });

  it("an event stream", async () => {
    const request = new Request("http://127.0.0.1/?offset=now&live=sse");
    const text = (await journalResponse(request, empty, options)).text();
    await collectGarbage();
    expect(await text).toContain("upToDate");
  });
});
