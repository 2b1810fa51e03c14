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

test("conformance.one-fault: an initialize that is wrong in three ways for one reason is one fault", () => {
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

test("scenarios that depend on a broken part are one fault with it, and the part represents it", () => {
  const basis: Readonly<Record<string, string>> = { "terminals/kill": "terminals/life" };
  const faults = findFaults(
    "client",
    [failing("terminals/life", ["FS-08"]), failing("terminals/kill", ["TERM-08"]), failing("files/read", ["FS-08"])],
    (id) => basis[id],
  );
  expect(faults.map(({ scenarios }) => scenarios)).toEqual([["terminals/life", "terminals/kill"], ["files/read"]]);
  expect(faults[0]?.finding.explanation).toBe("terminals/life FS-08");
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

test("the heaviest fault comes first, and a finding that is advice weighs as advice", () => {
  const advice = failing("tool/a", ["PERM-07"], undefined, { advice: true });
  const faults = findFaults("agent", [advice, failing("cancel/b", ["CANCEL-06"], refused)], none);
  expect(faults.map(({ weight }) => weight)).toEqual(["mandatory", "advisory"]);
});

test("a fault names the scenario of its finding, where another one has a dialogue of the same name", () => {
  const faults = findFaults(
    "agent",
    [failing("initialize/light", ["INIT-06"], refused), failing("initialize/heavy", ["INIT-05"], refused)],
    none,
  );
  expect(faults).toMatchObject([{ finding: { requirement: "INIT-05" }, foundBy: "initialize/heavy" }]);
});
