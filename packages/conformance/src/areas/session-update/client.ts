import { type ClientCheck, clientScenario, turnScenario } from "../../client/checks.js";
import type { ClientScenarioContext } from "../../client/client-context.js";
import { clientHas } from "../../client/client-facts.js";
import { call, change, chunk, survivesUpdates, text } from "../../client/survives-updates.js";
import type { Json } from "../../wire/values.js";

/** The checks of clients: session update. */
export const sessionUpdateClientChecks: readonly ClientCheck[] = [
  clientScenario("opening/updates-before-the-session", ["UPD-06", "UPD-04"], {
    title: "The client accepts an update that arrives before the response to session/new",
    run: async (context) => {
      const commands = { sessionUpdate: "available_commands_update", availableCommands: [] };
      const turn = await context.turn({
        handlers: {
          "session/new": (_, agent) => {
            agent.notify("session/update", { sessionId: "early", update: commands });
            return { sessionId: "early" };
          },
        },
      });
      await context.survived(turn, "UPD-06", "an update before the response to `session/new`");
    },
  }),
  survivesUpdates("updates/every-kind", ["CAP-24", "INIT-19", "TOOL-16", "USAGE-05"], {
    title: "The client accepts updates of every kind, independent of its capabilities",
    after: "updates of every kind",
    updates: everyKind,
  }),
  survivesUpdates("updates/unknown-kind", ["UPD-03"], {
    title: "An update of an unknown kind is ignored",
    after: "updates of unknown kinds",
    updates: [
      { sessionUpdate: "future_thing", anything: { goes: [1] } },
      { sessionUpdate: "_acp-kit.test/own", value: 1 },
      chunk(text("Still here.")),
    ],
  }),
  survivesUpdates("updates/unknown-content", ["UPD-03"], {
    title: "The client ignores a content block of an unknown type",
    after: "a content block of an unknown type",
    updates: [
      chunk({ type: "hologram", data: "?" }),
      call("t1", { content: [{ type: "hologram" }, { type: "content", content: text("fine") }] }),
      chunk(text("Still here.")),
    ],
  }),
  survivesUpdates("updates/extra-members", ["RPC-19", "EXT-01"], {
    title: "Unknown members and any `_meta` are ignored",
    after: "unknown members and `_meta` everywhere",
    updates: [
      chunk(
        {
          ...text("Hello"),
          zzz: 1,
          _meta: { "acp-kit.test/any": { deep: [1] } },
          annotations: { audience: ["user"], zzz: 1 },
        },
        { zzz: {}, _meta: {} },
      ),
      call("t1", { zzz: null, _meta: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" } }),
    ],
  }),
  turnScenario("updates/after-the-turn", ["UPD-04"], {
    title: "The client accepts an update after the end of the turn",
    run: async (context, turn) => {
      turn.end();
      turn.say("Late.");
      turn.update({ sessionUpdate: "session_info_update", title: "A title" });
      context.run.respondToOtherPrompts();
      if (context.facts.exitCode === undefined) {
        await turn.checkAlive("updates after the end of the turn");
        return;
      }
      const status = await context.run.exit();
      if (status?.code === context.facts.exitCode) return;
      if (!status) await context.run.waitForLateExit();
      context.fail("UPD-04", {
        sent: "Updates directly after the response to the prompt",
        received: status
          ? `The client ended with ${status.signal ?? `code ${status.code}`}.`
          : "The client did not exit.",
        explanation: `After a plain turn the client exits by itself, with code ${context.facts.exitCode}.`,
      });
    },
  }),
];

function everyKind({ facts }: ClientScenarioContext): readonly Json[] {
  const gated: Json[] = [];
  if (clientHas(facts, "session.notices")) gated.push({ sessionUpdate: "notice", severity: "info", title: "A notice" });
  if (clientHas(facts, "session.compaction")) {
    gated.push({ sessionUpdate: "compaction_update", compactionId: "c1", status: "in_progress" });
    gated.push({ sessionUpdate: "compaction_summary_chunk", compactionId: "c1", content: text("In short") });
    gated.push({ sessionUpdate: "compaction_update", compactionId: "c1", status: "completed" });
  }
  return [
    { sessionUpdate: "user_message_chunk", content: text("A question"), messageId: "m0" },
    { sessionUpdate: "agent_thought_chunk", content: text("Hm."), messageId: "m1" },
    chunk(text("One "), { messageId: "m2" }),
    chunk(text("message."), { messageId: "m2" }),
    chunk(text("Another."), { messageId: "m 3/ü" }),
    chunk(text("No id."), { messageId: null }),
    chunk({ type: "image", data: "aGVsbG8=", mimeType: "image/png" }),
    chunk({ type: "audio", data: "aGVsbG8=", mimeType: "audio/wav" }),
    chunk({ type: "resource_link", uri: "file:///a.txt", name: "a.txt", size: 5 }),
    chunk({ type: "resource", resource: { uri: "file:///a.txt", text: "hello" } }),
    chunk({ type: "resource", resource: { uri: "file:///a.bin", blob: "aGVsbG8=" } }),
    call("t1", { kind: "edit", status: "pending", rawInput: "any JSON", locations: [{ path: "/a.txt", line: 1 }] }),
    change("t1", { status: "in_progress" }),
    change("t1", { content: [{ type: "content", content: text("a") }], rawOutput: [1, null] }),
    change("t1", { content: [{ type: "diff", path: "/a.txt", oldText: null, newText: "b" }], title: null }),
    change("t1", { status: "completed", content: [], locations: [] }),
    { sessionUpdate: "plan", entries: [{ content: "A step", priority: "high", status: "pending" }] },
    { sessionUpdate: "plan", entries: [] },
    {
      sessionUpdate: "available_commands_update",
      availableCommands: [{ name: "web", description: "Search", input: { hint: "for" } }],
    },
    { sessionUpdate: "available_commands_update", availableCommands: [] },
    { sessionUpdate: "session_info_update", title: "A title", updatedAt: "2026-01-01T00:00:00Z" },
    { sessionUpdate: "session_info_update", title: null },
    { sessionUpdate: "usage_update", used: 10, size: 1000, cost: { amount: 0.5, currency: "credits" } },
    ...gated,
  ];
}
