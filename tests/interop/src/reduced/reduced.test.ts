import { emptyTranscript, readTranscript, reduceTranscript, type TranscriptSnapshot } from "@acp-kit/client";
import { describe, expect, it } from "vitest";
import { transcripts } from "../peers/transcripts.js";
import { outline } from "./outline.js";
import { wireEvents } from "./wire-events.js";

const { found, reason } = transcripts();
if (found.length === 0) {
  console.log(`Not run: transcripts of recorded agents, because ${reason}.`);
  it.skip(`transcripts of recorded agents: ${reason}`, () => {});
}

describe.each(found)("the transcript of $name", ({ name, recording }) => {
  const sessions = [...wireEvents(recording.entries)];

  it("has the expected outline", async () => {
    const outlines = sessions.map(([, events]) => outline(reduceTranscript(emptyTranscript, events)));
    const text = stable(outlines.join(`\n${"─".repeat(80)}\n\n`));
    await expect(text).toMatchFileSnapshot(`./outlines/${name.replace(/\.jsonl$/, "")}.txt`);
  });

  it("satisfies the invariants of every transcript", () => {
    for (const [, events] of sessions) {
      let state = emptyTranscript;
      for (const event of events) {
        const before = state;
        const written = JSON.stringify(before);
        state = reduceTranscript(before, event);
        check(state);
        expect(JSON.stringify(before)).toBe(written);
      }
      expect(state).toEqual(reduceTranscript(emptyTranscript, events));
      expect(readTranscript(JSON.parse(JSON.stringify(state)))).toEqual(state);
      expect(state).not.toHaveProperty("replaying");
      if (state.turns.every((turn) => turn.state !== "running")) {
        expect(state.activity).toBe("idle");
        const open = state.entries.filter(
          (entry) => entry.type === "tool_call" && /pending|in_progress/.test(entry.status) && !entry.unfinished,
        );
        expect(open).toEqual([]);
      }
    }
  });
});

function check({ entries, turns }: TranscriptSnapshot): void {
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
  const calls = entries.flatMap((entry) => (entry.type === "tool_call" ? [entry.toolCallId] : []));
  expect(new Set(calls).size).toBe(calls.length);
  for (const entry of entries) {
    if ("text" in entry && !turns.some(({ firstEntry }) => entries[firstEntry] === entry)) {
      expect(entry.content.length).toBeGreaterThan(0); // Only a prompt may be empty.
    }
    if (entry.turn !== undefined) expect(turns[entry.turn]).toBeDefined();
    expect(entry.type).not.toBe("unknown");
  }
}

/** Removes the parts that differ between runs: process ids and temporary names. */
function stable(text: string): string {
  return text.replaceAll(/PGID: \d+/g, "PGID: …").replaceAll(/tmp\/acp-drive-\w+/g, "tmp/…");
}
