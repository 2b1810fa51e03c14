import { expect, test } from "vitest";
import { remoteRequirements } from "../requirements/remote/remote-transport.js";
import { buildReport } from "./build-report.js";
import type { ConformanceReport } from "./report.js";
import { reportMatrix } from "./report-matrix.js";

function report(name: string, requirement: string, more: { advice?: true } = {}): ConformanceReport {
  const check = {
    kind: "scenario" as const,
    role: "agent" as const,
    tier: "mandatory" as const,
    id: "a/x",
    title: "x",
    verifies: [requirement],
    run: async () => {},
  };
  return buildReport({
    role: "agent",
    subject: { command: "agent", name, version: "1" },
    kit: "1.0.0",
    startedAt: new Date(0),
    durationMs: 1,
    ...(requirement.startsWith("RT-") && { moreRequirements: remoteRequirements }),
    outcomes: [
      {
        check,
        verdict: { status: "failed", findings: [{ requirement, sent: "", received: "", explanation: "", ...more }] },
        durationMs: 1,
        dialogues: [],
      },
    ],
  });
}

test("the matrix lists the peers with their verdicts, and all broken rules", () => {
  const lines = reportMatrix([report("one", "CANCEL-06"), report("two | <b>", "INIT-06")]).split("\n");
  expect(lines[2]).toBe("| one 1 | 1970-01-01 | not conformant | 1 | 0 | 0 | 0 | 2026-11 |");
  expect(lines[3]).toContain("| two \\| \\<b\\> 1 | 1970-01-01 | conformant | 0 |");
  expect(lines.slice(7)).toEqual(["| INIT-06 |  | ! |", "| CANCEL-06 | ✗ |  |", ""]);
});

test("the matrix marks advice about a MUST as advice, and contains rules that only a later report has", () => {
  const lines = reportMatrix([report("one", "PLAN-04", { advice: true }), report("two", "RT-03")]).split("\n");
  expect(lines.slice(7)).toEqual(["| PLAN-04 | ! |  |", "| RT-03 |  | ✗ |", ""]);
});
