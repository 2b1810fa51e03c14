import { expect, test } from "vitest";
import type { Finding } from "../verdict.js";
import { findFaults } from "./find-faults.js";
import type { ScenarioReport } from "./report.js";

function failing(id: string, rules: readonly string[], message?: object, more: Partial<Finding> = {}): ScenarioReport {
  const where = { dialogue: "connection 1", seqs: [1] };
  const findings = rules.map(
    (requirement): Finding => ({
      requirement,
      sent: "x",
      received: "y",
      explanation: `${id} ${requirement}`,
      where,
      ...more,
    }),
  );
  const entries = [
    { seq: 0, atMs: 0, from: "client" as const, message: { jsonrpc: "2.0", id: 1, method: "initialize", params: {} } },
    ...(message ? [{ seq: 1, atMs: 1, from: "agent" as const, message }] : []),
  ];
  return {
    id,
    title: id,
    kind: "scenario",
    tier: "mandatory",
    verifies: rules,
    verdict: { status: "failed", findings },
    weight: "mandatory",
    durationMs: 1,
    dialogues: [{ name: "connection 1", entries }],
  };
}

const refused = { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "No" } };
const none = (): undefined => undefined;

test("conformance.one-fault: one wrong initialize response that breaks three rules is one fault", () => {
  const faults = findFaults(
    "agent",
    [
      failing("initialize/a", ["INIT-05"], refused),
      failing("initialize/b", ["INIT-08"], refused),
      failing("initialize/c", ["INIT-15"], refused),
    ],
    none,
  );
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatchObject({
    id: "fault-1",
    weight: "mandatory",
    rules: ["INIT-05", "INIT-08", "INIT-15"],
    scenarios: ["initialize/a", "initialize/b", "initialize/c"],
  });
});

test("a failed scenario and its failed basis are one fault, represented by the basis", () => {
  const basis: Readonly<Record<string, string>> = { "terminals/kill": "terminals/life" };
  const faults = findFaults(
    "client",
    [failing("terminals/life", ["FS-08"]), failing("terminals/kill", ["TERM-08"]), failing("files/read", ["FS-08"])],
    (id) => basis[id],
  );
  expect(faults.map(({ scenarios }) => scenarios)).toEqual([["terminals/life", "terminals/kill"], ["files/read"]]);
  expect(faults[0]?.finding.explanation).toBe("terminals/life FS-08");
});

test("a failed scenario before its failed basis is one fault with it", () => {
  const faults = findFaults(
    "agent",
    [failing("session/close-running", ["SESS-27"]), failing("cancel/running-turn", ["CANCEL-06"])],
    (id) => (id === "session/close-running" ? "cancel/running-turn" : undefined),
  );
  expect(faults.map(({ scenarios }) => scenarios)).toEqual([["cancel/running-turn", "session/close-running"]]);
  expect(faults[0]?.finding.requirement).toBe("CANCEL-06");
});

test("the same message about another folder of the kit is the same fault", () => {
  const write = (folder: string): object => ({
    jsonrpc: "2.0",
    id: 1,
    method: "fs/write_text_file",
    params: { sessionId: folder, path: `/tmp/acp-kit-conformance-${folder}/work/a.txt`, content: "hello" },
  });
  const faults = findFaults(
    "agent",
    [failing("capabilities/a", ["CAP-14"], write("TilWCi")), failing("capabilities/b", ["CAP-14"], write("XM9Weu"))],
    none,
  );
  expect(faults).toHaveLength(1);
});

test("different messages are different faults", () => {
  const other = { jsonrpc: "2.0", id: 1, result: { protocolVersion: "1" } };
  const faults = findFaults(
    "agent",
    [failing("initialize/a", ["INIT-05"], refused), failing("initialize/b", ["INIT-11"], other)],
    none,
  );
  expect(faults).toHaveLength(2);
});

test("the heaviest fault comes first, and advice counts as advisory", () => {
  const advice = failing("tool/a", ["PERM-07"], undefined, { advice: true });
  const faults = findFaults("agent", [advice, failing("cancel/b", ["CANCEL-06"], refused)], none);
  expect(faults.map(({ weight }) => weight)).toEqual(["mandatory", "advisory"]);
});

test("a fault names the scenario of its finding, even if another scenario has a dialogue of the same name", () => {
  const faults = findFaults(
    "agent",
    [failing("initialize/light", ["INIT-06"], refused), failing("initialize/heavy", ["INIT-05"], refused)],
    none,
  );
  expect(faults).toMatchObject([{ finding: { requirement: "INIT-05" }, foundBy: "initialize/heavy" }]);
});

test("all requests of one method that got no response are one fault, and those of another method are another fault", () => {
  const silent = (id: string, method: string): ScenarioReport => {
    const report = failing(id, ["RPC-04"], undefined, { received: "no response within 40 s" });
    const message = { jsonrpc: "2.0", id: 1, method, params: {} };
    const entries = [{ seq: 1, atMs: 0, from: "client" as const, message }];
    return { ...report, dialogues: [{ name: "connection 1", entries }] };
  };
  const all = [
    silent("modes/set", "session/set_mode"),
    silent("modes/unknown", "session/set_mode"),
    silent("prompt/overlapping", "session/prompt"),
    silent("json-rpc/ids", "_conformance/ids"),
    silent("json-rpc/batch", "_conformance/fence"),
  ];
  expect(findFaults("agent", all, none).map(({ scenarios }) => scenarios)).toEqual([
    ["modes/set", "modes/unknown"],
    ["prompt/overlapping"],
    ["json-rpc/ids", "json-rpc/batch"],
  ]);
});

test("calls of client methods without the capability are one fault", () => {
  const call = (id: string, rule: string, method: string): ScenarioReport =>
    failing(id, [rule], { jsonrpc: "2.0", id: 7, method, params: {} });
  const all = [
    call("capabilities/read", "CAP-13", "fs/read_text_file"),
    call("capabilities/write", "CAP-14", "fs/write_text_file"),
    call("capabilities/terminal", "CAP-15", "terminal/create"),
  ];
  const faults = findFaults("agent", all, none);
  expect(faults.map(({ rules }) => rules)).toEqual([["CAP-13", "CAP-14", "CAP-15"]]);
});
