import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { RecordedEntry } from "../journal/recorded-entry.js";
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

describe("gateway.bounded-memory: a journal whose page is in a response stays open", () => {
  const text = JSON.stringify({ type: "update", text: "x\u{1f600}".repeat(60_000) });
  const entry = { seq: 1, epoch: 1, text } as unknown as RecordedEntry;
  const open = () => {
    let closed = 0;
    const journal: SessionJournal = {
      ...empty,
      last: { seq: 1, epoch: 1 },
      read: async () => ({ is: "page", entries: [entry] }),
      close: () => (closed += 1),
    };
    return { journal, closed: () => closed };
  };

  it.each(["", "?offset=-1&live=long-poll"])("until the page is sent: %s", async (query) => {
    const { journal, closed } = open();
    const response = await journalResponse(new Request(`http://127.0.0.1/${query}`), journal, options);
    expect([response.status, closed()]).toEqual([200, 0]);
    expect(await response.text()).toBe(`[${text}]`);
    expect(closed()).toBe(1);
  });

  it("until its reader has gone", async () => {
    const { journal, closed } = open();
    const response = await journalResponse(new Request("http://127.0.0.1/"), journal, options);
    const reader = response.body?.getReader();
    await reader?.read();
    expect(closed()).toBe(0);
    await reader?.cancel();
    expect(closed()).toBe(1);
  });

  it("a response without a page closes it at once", async () => {
    const { journal, closed } = open();
    await journalResponse(new Request("http://127.0.0.1/?offset=now"), journal, options);
    await journalResponse(new Request("http://127.0.0.1/?offset=wrong"), journal, options);
    expect(closed()).toBe(2);
  });
});
