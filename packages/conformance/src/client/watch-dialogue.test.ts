import { expect, test } from "vitest";
import { DialogueLog } from "../dialogue.js";
import { type PlayedDialogue, watchAll } from "../runner/watch-all.js";
import type { Observation } from "../scenario.js";
import { clientWatches } from "./client-checks.js";

function watched(id: string, dialogue: DialogueLog): Observation {
  const watch = clientWatches.find((each) => each.id === id);
  if (!watch) throw new Error(`There is no watch ${id}`);
  return watch.watch(dialogue);
}

const rpc = (message: object): object => ({ jsonrpc: "2.0", ...message });

function initialized(clientCapabilities: object): DialogueLog {
  const dialogue = new DialogueLog("connection 1");
  dialogue.message("client", rpc({ id: 0, method: "initialize", params: { protocolVersion: 1, clientCapabilities } }));
  dialogue.message("agent", rpc({ id: 0, result: { protocolVersion: 1 } }));
  return dialogue;
}

test("a finding has its place in the dialogue", () => {
  const dialogue = initialized({});
  dialogue.event("something happens");
  dialogue.message("client", rpc({ id: 1, method: "session/list", params: {} }));
  expect(watched("gates/session-list", dialogue).findings).toMatchObject([
    { requirement: "CAP-02", where: { dialogue: "connection 1", seqs: [3] } },
  ]);
});

test("a watch without matching messages reports 0 checked entries", () => {
  expect(watched("payload/mode", initialized({}))).toEqual({ checkedEntries: 0, findings: [] });
});

test("a response to an invalid request breaks no rule", () => {
  const dialogue = initialized({});
  dialogue.raw("agent", '{"jsonrpc":"2.0","id":{},"method":"_x"}', "JSON that is not a JSON-RPC message");
  dialogue.message("client", rpc({ id: {}, error: { code: -32600, message: "Invalid request" } }));
  dialogue.message("client", rpc({ id: null, error: { code: -32700, message: "Parse error" } }));
  expect(watched("envelope/answers-what-was-asked", dialogue)).toEqual({ checkedEntries: 0, findings: [] });
});

test("a response to a request that the client did not advertise is checked only by its scenario", () => {
  const play = (clientCapabilities: object): DialogueLog => {
    const dialogue = initialized(clientCapabilities);
    dialogue.message("agent", rpc({ id: 5, method: "terminal/kill", params: { sessionId: "s", terminalId: "t" } }));
    dialogue.message("client", rpc({ id: 5, result: null }));
    return dialogue;
  };
  expect(watched("schema/other-answers", play({}))).toEqual({ checkedEntries: 0, findings: [] });
  expect(watched("schema/other-answers", play({ terminal: true })).findings).toMatchObject([{ requirement: "RPC-18" }]);
});

test("an agent without the capability gets no additionalDirectories, not even an empty list", () => {
  const dialogue = initialized({});
  dialogue.message(
    "client",
    rpc({ id: 1, method: "session/new", params: { cwd: "/work", additionalDirectories: [] } }),
  );
  expect(watched("gates/additional-directories", dialogue).findings).toMatchObject([{ requirement: "CAP-07" }]);
});

test("a client may set the options and values that an update or a response has added", () => {
  const dialogue = initialized({});
  const option = (value: string): object => ({
    id: "model",
    name: "Model",
    type: "select",
    currentValue: value,
    options: [{ value, name: value }],
  });
  const set = (id: number, value: string): void =>
    void dialogue.message(
      "client",
      rpc({ id, method: "session/set_config_option", params: { sessionId: "s", configId: "model", value } }),
    );
  dialogue.message("client", rpc({ id: 1, method: "session/new", params: { cwd: "/work", mcpServers: [] } }));
  dialogue.message("agent", rpc({ id: 1, result: { sessionId: "s" } }));
  const configOptions = [option("small")];
  const update = { sessionUpdate: "config_option_update", configOptions };
  dialogue.message("agent", rpc({ method: "session/update", params: { sessionId: "s", update } }));
  set(2, "small");
  dialogue.message("agent", rpc({ id: 2, result: { configOptions: [option("large")] } }));
  set(3, "large");
  for (const id of ["gates/config-options", "payload/config-value"]) expect(watched(id, dialogue).findings).toEqual([]);
  set(4, "small");
  expect(watched("payload/config-value", dialogue).findings).toMatchObject([{ requirement: "CFG-13" }]);
});

test("a rule about a method is judged only for clients that call the method", () => {
  const watch = clientWatches.find(({ id }) => id === "gates/session-load");
  const play = (agentCapabilities: object, ...methods: readonly string[]): PlayedDialogue => {
    const dialogue = new DialogueLog("connection 1");
    dialogue.message("client", rpc({ id: 0, method: "initialize", params: { protocolVersion: 1 } }));
    dialogue.message("agent", rpc({ id: 0, result: { protocolVersion: 1, agentCapabilities } }));
    for (const [index, method] of methods.entries()) {
      dialogue.message("client", rpc({ id: index + 1, method, params: {} }));
    }
    return { scenario: "opening/stdio", dialogue };
  };
  const statusOf = (...played: readonly PlayedDialogue[]): unknown => watch && watchAll(watch, played).outcome.verdict;
  expect(statusOf(play({}, "session/new"), play({ loadSession: true }, "session/new"))).toEqual({
    status: "skipped",
    reason: "the client never calls session/load, not even if the agent advertises it",
  });
  expect(statusOf(play({}, "session/new"), play({ loadSession: true }, "session/load"))).toEqual({ status: "passed" });
  expect(statusOf(play({}, "session/load"))).toMatchObject({ status: "failed" });
});
