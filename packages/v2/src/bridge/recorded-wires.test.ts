import { describe, expect, it } from "vitest";
import { updatesOf } from "../../test/peers.js";
import { replayWire, textOf } from "../../test/replay-wire.js";

// Recordings of an adapter of version 2 against a scripted model: a command in its own terminal, a cancel while a
// permission is open, an edit with a patch, and a prompt that is held while another one runs.
const wire = (name: string): URL => new URL(`../../test/wires/${name}.jsonl`, import.meta.url);

describe("a recorded agent of version 2 and a client of version 1", () => {
  it.each([
    ["run", ["end_turn"], ["config_option", "terminal"]],
    ["edit", ["end_turn"], ["config_option"]],
    ["write-cancel", ["cancelled"], ["config_option", "tool_call_status"]],
    ["queue", ["cancelled", "cancelled"], ["config_option"]],
  ])(
    "%s: the whole text arrives, every prompt ends once, and all messages are valid",
    async (name, stopReasons, losses) => {
      const { pair, recorded, prompts } = await replayWire(wire(name));
      const { client, lost, diagnostics } = pair;
      expect(textOf(client.receivedSoFar() as never)).toBe(textOf(recorded));
      const responses = prompts.map((id) =>
        client.receivedSoFar().filter((message) => !("method" in message) && message.id === id),
      );
      expect(responses).toMatchObject(stopReasons.map((stopReason) => [{ result: { stopReason } }]));
      expect(lost()).toEqual(losses);
      expect(diagnostics).toHaveLength(losses.length);
    },
  );

  it("versions.whole-text: the command and its output are in the tool call", async () => {
    const { pair } = await replayWire(wire("run"));
    const calls = updatesOf(
      pair.client,
      (pair.client.lastReceived("session/request_permission").params as { sessionId: string }).sessionId,
    );
    expect(calls.filter(({ toolCallId }) => toolCallId !== undefined).at(-1)).toMatchObject({
      status: "completed",
      content: [{ type: "content", content: { text: "$ echo run-ok > ran.txt; cat ran.txt\nrun-ok\n[exit code 0]" } }],
    });
  });

  it("edit: the patch is a diff", async () => {
    const { pair } = await replayWire(wire("edit"));
    const diffs = JSON.stringify(pair.client.receivedSoFar()).match(/\{"type":"diff"[^}]*\}/g) ?? [];
    expect(diffs.length).toBeGreaterThan(0);
    for (const diff of diffs)
      expect(JSON.parse(diff)).toMatchObject({
        path: expect.stringMatching(/^\/workspace/),
        newText: expect.any(String),
      });
  });
});
