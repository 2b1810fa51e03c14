import type { WireMessage } from "@acp-kit/testing";
import type { SelectSessionConfigOption, SessionModeState } from "@acp-kit/types";
import { describe, expect, test, vi } from "vitest";
import { type RawAgent, type RawScript, rawAgent, says, updates } from "../../test/raw-agent.js";
import { allowReads } from "../permissions/permission-rules.js";
import type { Session, UpdateListener } from "./session.js";

const modes = (currentModeId: string): SessionModeState => ({
  currentModeId,
  availableModes: ["ask", "code", "plan"].map((id) => ({ id, name: id })),
});
const model = (currentValue: string): SelectSessionConfigOption[] => [
  {
    id: "model",
    name: "Model",
    type: "select",
    currentValue,
    options: ["a", "b", "c"].map((value) => ({ value, name: value })),
  },
];
const modeUpdate = (currentModeId: string): WireMessage =>
  updates({ sessionUpdate: "current_mode_update", currentModeId });
const modelUpdate = (value: string): WireMessage =>
  updates({ sessionUpdate: "config_option_update", configOptions: model(value) });

const answer = { agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {}, close: {} } } };
const saved = { cwd: "/work", sessionId: "s1" };
const openings = {
  "session/new": ({ connection }: RawAgent) => connection.newSession({ cwd: "/work" }),
  "session/load": ({ connection }: RawAgent) => connection.loadSession(saved),
  "session/resume": ({ connection }: RawAgent) => connection.resumeSession(saved),
};

/** The values of the mode and the model, from the transcript and from the options. */
const settingsOf = ({ options, transcript: { snapshot } }: Session): unknown[] => [
  snapshot.modes?.currentModeId,
  options.get("mode")?.value,
  snapshot.configOptions?.[0]?.currentValue,
  options.get("model")?.value,
];

describe("an update that arrives together with the response before it", () => {
  test.each(Object.entries(openings))("UPD-05 is newer than the settings in the response to %s", async (_, open) => {
    const agent = await rawAgent({
      answer,
      react: ({ id }) => [
        { id, result: { sessionId: "s1", modes: modes("ask"), configOptions: model("a") } },
        modeUpdate("code"),
        modelUpdate("b"),
      ],
    });
    // With config options, modes are no options
    expect(settingsOf(await open(agent))).toEqual(["code", undefined, "b", "b"]);
  });

  test("UPD-05 is newer than the mode that this client has set", async () => {
    const { connection } = await rawAgent({
      react: ({ id, method }) => [
        { id, result: { sessionId: "s1", modes: modes("ask") } },
        ...(method === "session/set_mode" ? [modeUpdate("plan")] : []),
      ],
    });
    const session = await connection.newSession({ cwd: "/work" });
    await session.options.set("mode", "code");
    expect(settingsOf(session)).toEqual(["plan", "plan", undefined, undefined]);
  });

  test("UPD-05 is newer than the option that this client has set", async () => {
    const { connection } = await rawAgent({
      react: ({ id, method }) =>
        method === "session/new"
          ? [{ id, result: { sessionId: "s1", configOptions: model("a") } }]
          : [{ id, result: { configOptions: model("b") } }, modelUpdate("c")],
    });
    const session = await connection.newSession({ cwd: "/work" });
    await session.options.set("model", "b");
    expect(settingsOf(session)).toEqual([undefined, undefined, "c", "c"]);
  });
});

describe("an update that arrives together with the response to session/load before it", () => {
  const script: RawScript = {
    answer,
    react: ({ id, method }) =>
      method === "session/load"
        ? [says("history"), { id, result: {} }, says("live")]
        : [{ id, result: { sessionId: "s1" } }],
  };
  const watch = (): { onUpdate: UpdateListener; got: unknown[] } => {
    const got: unknown[] = [];
    return {
      got,
      onUpdate: (update, { replayed }) => got.push([(update as { messageId?: string }).messageId, replayed]),
    };
  };

  test("is not marked as replayed", async () => {
    const { connection } = await rawAgent(script);
    const { onUpdate, got } = watch();
    const session = await connection.loadSession(saved, { onUpdate });
    expect(got).toEqual([
      ["history", true],
      ["live", false],
    ]);
    expect(session.transcript.snapshot.entries.map(({ replayed }) => replayed)).toEqual([true, undefined]);
  });

  test("reaches the listeners of a session that was already open", async () => {
    const { connection } = await rawAgent(script);
    const { onUpdate, got } = watch();
    await connection.newSession({ cwd: "/work" }, { onUpdate });
    await connection.loadSession(saved);
    expect(got).toEqual([["live", false]]);
  });
});

test("a request that arrives together with the response to session/new before it belongs to the session", async () => {
  const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
  const toolCall = { toolCallId: "t", kind: "read", locations: [{ path: "/work/a" }] };
  let signal: AbortSignal | undefined;
  const agent = await rawAgent({
    answer,
    permissions: allowReads({ within: "session" }),
    files: {
      async readTextFile(_, context) {
        signal = context.sessionSignal;
        return { content: "" };
      },
    },
    react: ({ id, method }) =>
      method === "session/new"
        ? [
            { id, result: { sessionId: "s1" } },
            { id: "p", method: "session/request_permission", params: { sessionId: "s1", toolCall, options } },
            { id: "f", method: "fs/read_text_file", params: { sessionId: "s1", path: "/work/a" } },
          ]
        : [{ id, result: {} }],
  });
  const session = await agent.connection.newSession({ cwd: "/work" });
  const outcome = { outcome: "selected", optionId: "y" };
  const response = expect.objectContaining({ id: "p", result: { outcome } });
  await vi.waitFor(() => expect(agent.receivedSoFar()).toContainEqual(response));
  expect(signal?.aborted).toBe(false);
  await session.close();
  expect(signal?.aborted).toBe(true);
});
