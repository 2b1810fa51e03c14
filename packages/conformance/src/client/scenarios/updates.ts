import type { Scenario } from "../../scenario.js";
import { clientScenario } from "../checks.js";
import type { ClientScenarioContext } from "../client-context.js";
import { clientHas } from "../client-facts.js";
import type { JsonObject } from "../json.js";

const text = (value: string): JsonObject => ({ type: "text", text: value });

const chunk = (content: unknown, more: JsonObject = {}): JsonObject => ({
  sessionUpdate: "agent_message_chunk",
  content,
  ...more,
});

const call = (toolCallId: string, more: JsonObject = {}): JsonObject => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: "A tool call",
  ...more,
});

const change = (toolCallId: string, more: JsonObject): JsonObject => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  ...more,
});

/** Creates a scenario that sends these updates in a turn, and then checks that the client still responds and exits as usual. */
function survives(
  id: string,
  title: string,
  verifies: readonly string[],
  after: string,
  updates: readonly JsonObject[] | ((context: ClientScenarioContext) => readonly JsonObject[]),
  setup?: Parameters<ClientScenarioContext["turn"]>[0],
): Scenario<ClientScenarioContext> {
  return clientScenario({
    id,
    title,
    verifies,
    run: async (context) => {
      const turn = await context.turn(setup);
      for (const update of typeof updates === "function" ? updates(context) : updates) turn.update(update);
      await context.survived(turn, verifies[0] ?? "", after);
    },
  });
}

function everyKind({ facts }: ClientScenarioContext): readonly JsonObject[] {
  const gated: JsonObject[] = [];
  if (clientHas(facts, "session.notices")) {
    gated.push({ sessionUpdate: "notice", severity: "info", title: "A notice" });
  }
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

const modes = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
};

const select = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  name: "An option",
  type: "select",
  currentValue: "a",
  options: [
    { value: "a", name: "A" },
    { value: "b", name: "B" },
  ],
  ...more,
});

/** Scenarios about updates: in every form that the schema allows, and in malformed forms. */
export const updateScenarios: readonly Scenario<ClientScenarioContext>[] = [
  survives(
    "updates/every-kind",
    "The client accepts updates of every kind, independent of its capabilities",
    ["CAP-24", "INIT-19", "TOOL-16", "USAGE-05"],
    "updates of every kind",
    everyKind,
  ),
  survives("updates/unknown-kind", "An update of an unknown kind is ignored", ["UPD-03"], "updates of unknown kinds", [
    { sessionUpdate: "future_thing", anything: { goes: [1] } },
    { sessionUpdate: "_acp-kit.test/own", value: 1 },
    chunk(text("Still here.")),
  ]),
  survives(
    "updates/unknown-content",
    "The client ignores a content block of an unknown type",
    ["UPD-03"],
    "a content block of an unknown type",
    [
      chunk({ type: "hologram", data: "?" }),
      call("t1", { content: [{ type: "hologram" }, { type: "content", content: text("fine") }] }),
      chunk(text("Still here.")),
    ],
  ),
  survives(
    "updates/unknown-values",
    "The client reads unknown values of enumerations as their defaults",
    ["TOOL-03", "TOOL-04", "PLAN-08"],
    "unknown kinds, states and priorities",
    [
      call("t1", { kind: "levitate", status: "dreaming" }),
      change("t1", { status: "cancelled" }),
      {
        sessionUpdate: "plan",
        entries: [
          { content: "A step", priority: "urgent", status: "someday" },
          { content: "Another", priority: "low", status: "completed" },
        ],
      },
    ],
  ),
  survives(
    "updates/extra-members",
    "Unknown members and any `_meta` are ignored",
    ["RPC-19", "EXT-01"],
    "unknown members and `_meta` everywhere",
    [
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
  ),
  survives(
    "updates/odd-meta",
    "The client ignores a `_meta` that is `null` or not an object",
    ["EXT-09"],
    "`_meta` of `null` and of 5",
    [chunk({ ...text("One"), _meta: null }, { _meta: null }), chunk({ ...text("Two"), _meta: 5 }, { _meta: 5 })],
  ),
  survives(
    "updates/malformed-optional-members",
    "The client reads malformed optional members as absent",
    ["WIRE-01", "CONT-06"],
    "malformed optional members",
    [
      chunk({ ...text("Hello"), annotations: 7 }),
      chunk({ ...text("Hello"), annotations: { audience: ["user", "robot"], priority: "high", lastModified: 5 } }),
      { sessionUpdate: "session_info_update", title: {}, updatedAt: 5 },
      call("t1", { locations: 5, content: "none" }),
    ],
  ),
  survives(
    "updates/malformed-items",
    "The client ignores malformed items of a list and keeps the others",
    ["WIRE-02", "TOOL-19", "PLAN-08"],
    "lists with malformed items",
    [
      {
        sessionUpdate: "plan",
        entries: [
          { content: "A step", priority: "low", status: "pending" },
          5,
          { content: "Another", priority: "low", status: "pending" },
        ],
      },
      {
        sessionUpdate: "available_commands_update",
        availableCommands: [{ name: "ok", description: "Fine" }, { name: 5 }, null],
      },
      call("t1", {
        content: [{ type: "content", content: text("fine") }, { type: "text", text: "bare" }, 5],
        locations: [{ path: "/a" }, { line: 1 }],
      }),
    ],
  ),
  survives(
    "updates/tool-call-upserts",
    "The client accepts an update of an unknown tool call, and a second tool_call with the same id",
    ["TOOL-18"],
    "an update of an unknown tool call, and a tool_call that is sent twice",
    [change("not-announced", { status: "completed" }), call("t1"), call("t1", { title: "Announced again" })],
  ),
  clientScenario({
    id: "updates/other-session",
    title: "An update of a session that the client doesn't know is ignored",
    verifies: ["SESS-32"],
    run: async (context) => {
      const turn = await context.turn();
      turn.agent.notify("session/update", { sessionId: "unknown", update: chunk(text("Lost.")) });
      await context.survived(turn, "SESS-32", "an update of an unknown session");
    },
  }),
  clientScenario({
    id: "updates/after-the-turn",
    title: "The client accepts an update after the end of the turn",
    verifies: ["UPD-04"],
    run: async (context) => {
      const turn = await context.turn();
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
  survives(
    "updates/config-categories",
    "The client accepts config options without a category, or with an unknown one",
    ["CFG-08", "CFG-07"],
    "config options with odd categories",
    [
      {
        sessionUpdate: "config_option_update",
        configOptions: [
          select("one"),
          select("two", { category: "_own" }),
          select("three", { category: "later" }),
          select("four", { category: 5 }),
        ],
      },
    ],
    {
      session: {
        configOptions: [select("one", { category: "later" }), select("two"), select("four", { category: 5 })],
      },
    },
  ),
  survives(
    "updates/config-unknown-type",
    "The client ignores config options that are malformed or of an unknown type",
    ["CFG-11", "CFG-24"],
    "config options of unknown types",
    [
      {
        sessionUpdate: "config_option_update",
        configOptions: [{ id: "s", name: "Volume", type: "slider", currentValue: 5, min: 0 }, select("one"), 5],
      },
    ],
    { session: { configOptions: [{ id: "s", name: "Volume", type: "slider", currentValue: 5 }, select("one"), null] } },
  ),
  survives(
    "updates/modes",
    "The client accepts changes of modes and of config options",
    ["MODE-05", "CFG-18"],
    "changes of the mode and of options",
    [
      { sessionUpdate: "current_mode_update", currentModeId: "code" },
      { sessionUpdate: "current_mode_update", currentModeId: "unknown" },
      { sessionUpdate: "config_option_update", configOptions: [select("one")] },
    ],
    { session: { modes, configOptions: [select("one", { category: "mode" })] } },
  ),
  clientScenario({
    id: "updates/notice-severity",
    title: "The client accepts a notice of an unknown severity",
    verifies: ["NOTICE-03"],
    needs: ["clientCapabilities.session.notices"],
    run: async (context) => {
      context.needsCapability("session.notices");
      const turn = await context.turn();
      for (const severity of ["info", "warning", "error", "_own", "later"]) {
        turn.update({ sessionUpdate: "notice", severity, title: "A notice" });
      }
      await context.survived(turn, "NOTICE-03", "notices of known and unknown severity");
    },
  }),
  clientScenario({
    id: "updates/compaction",
    title: "The client accepts compactions with unknown states, patches, and a chunk before the start",
    verifies: ["COMPACT-11"],
    needs: ["clientCapabilities.session.compaction"],
    run: async (context) => {
      context.needsCapability("session.compaction");
      const turn = await context.turn();
      const update = (more: JsonObject): void =>
        turn.update({ sessionUpdate: "compaction_update", compactionId: "c1", ...more });
      turn.update({ sessionUpdate: "compaction_summary_chunk", compactionId: "c0", content: text("Too early") });
      update({ status: "in_progress" });
      update({ status: "simmering" });
      turn.update({ sessionUpdate: "compaction_summary_chunk", compactionId: "c1", content: text("In short") });
      update({ status: "completed", summary: [text("In short")] });
      update({ status: "completed", summary: null, error: null });
      await context.survived(turn, "COMPACT-11", "compactions in odd orders");
    },
  }),
];
