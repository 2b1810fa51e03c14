import { expect, test } from "vitest";
import type { ConformanceReport } from "./report.js";
import { reportHtml } from "./report-html.js";
import { reportJUnit } from "./report-junit.js";
import { reportText } from "./report-text.js";

const evil = `<script>alert(1)</script>]]>&"'\u0000\u001B[31m`;
const finding = {
  requirement: "RPC-04",
  sent: `an id ${evil}`,
  received: evil,
  explanation: `No: ${evil}`,
  where: { dialogue: "connection 1", seqs: [0] },
};
const report: ConformanceReport = {
  format: "acp-kit/conformance-report",
  version: 2,
  role: "agent",
  subject: { command: `node ${evil}`, name: evil, version: "1" },
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1234,
  made: { kit: "1.0.0", versions: [1], rules: "2026-11", schema: "schema.json", schemaSha256: "00" },
  verdict: "not conformant",
  reasons: [],
  conformant: false,
  faults: [
    {
      id: "fault-1",
      weight: "mandatory",
      expected: false,
      finding,
      foundBy: "a/two",
      rules: ["RPC-04"],
      scenarios: ["a/two", "a/three"],
    },
  ],
  counts: {
    scenarios: { passed: 1, failed: 1, expected: 0, advisory: 0, flaky: 0, skipped: 1, inconclusive: 0 },
    requirements: { passed: 1, failed: 1, expected: 0, flaky: 0, skipped: 0, inconclusive: 0, "not tested": 3 },
    faults: 1,
  },
  scenarios: [
    {
      id: "a/one",
      title: "One",
      kind: "scenario",
      tier: "mandatory",
      verifies: ["RPC-04"],
      durationMs: 1,
      dialogues: [],
      verdict: { status: "passed" },
    },
    {
      id: "a/two",
      title: "Two",
      kind: "scenario",
      tier: "mandatory",
      weight: "mandatory",
      verifies: ["RPC-04"],
      durationMs: 2,
      verdict: { status: "failed", findings: [finding] },
      dialogues: [
        {
          name: "connection 1",
          entries: [
            { seq: 0, atMs: 0, from: "agent", message: { evil } },
            { seq: 1, atMs: 0, from: "agent", raw: evil, because: "not JSON" },
            { seq: 2, atMs: 0, event: evil },
          ],
        },
      ],
    },
    {
      id: "b/three",
      title: "Three",
      kind: "watch",
      tier: "advisory",
      verifies: [],
      durationMs: 0,
      dialogues: [],
      verdict: { status: "skipped", reason: evil },
    },
  ],
  requirements: [
    {
      id: "RPC-04",
      level: "MUST",
      tier: "mandatory",
      rule: evil,
      status: "failed",
      findings: [finding],
      scenarios: ["a/two"],
    },
  ],
  staleExpectations: [evil],
};

test("the HTML file escapes text of the peer, and has no scripts or external files", () => {
  const html = reportHtml(report);
  expect(html).not.toContain("<script");
  expect(html).not.toContain("\u001B");
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(html).toContain("default-src 'none'");
  // The only addresses are those of the specification's pages.
  expect(html).not.toMatch(/\b(?:src|href)="(?!#|https:\/\/(?:agentclientprotocol\.com|www\.jsonrpc\.org)\/)/);
});

test("the HTML file shows the failing dialogue and marks the decisive message", () => {
  expect(reportHtml(report)).toMatch(/<tr class="agent hit"><td>#0<\/td>/);
});

test("JUnit has a case for each scenario, and escapes markup of the peer", () => {
  const xml = reportJUnit(report);
  expect(xml.match(/<testcase /g)).toHaveLength(4); // three scenarios, and the stale expectation
  expect(xml.match(/<failure /g)).toHaveLength(2);
  expect(xml.match(/<skipped /g)).toHaveLength(1);
  expect(xml).not.toMatch(/<script|(?![\n\t])\p{Cc}/u);
});

test("every format names the versions of kit, rules and schema", () => {
  for (const text of [reportText(report), reportHtml(report), reportJUnit(report)]) {
    for (const version of ["1.0.0", "2026-11", "schema.json"]) expect(text).toContain(version);
  }
});

test("the terminal report shows the finding without control characters", () => {
  const text = reportText(report);
  expect(text).toContain("[RPC-04, ");
  expect(text).toMatch(/sent: .*\n.*received: .*\n.*expected: /);
  expect(text).not.toMatch(/(?![\n\t])\p{Cc}/u);
  expect(text).toContain("3 not tested");
});

test("the terminal report lists the faults together at the end, each once, and many skipped scenarios in one line", () => {
  const [passed, failed, skipped] = report.scenarios;
  if (!passed || !failed || !skipped) throw new Error("the report has three scenarios");
  const again = { ...failed, id: "a/three", fault: "fault-1" };
  const skips = Array.from({ length: 78 }, (_, index) => ({ ...skipped, id: `c/${index}` }));
  const text = reportText({ ...report, scenarios: [passed, failed, again, ...skips] });
  expect(text).toContain("\n78 were skipped; ");
  expect(text).not.toContain("c/0");
  const faults = text.slice(text.indexOf("\nfaults\n"), text.indexOf("\nscenarios: "));
  expect(faults).toContain("  fault-1 (mandatory), seen by a/two, a/three\n      [RPC-04, ");
  expect(text.match(/received: /g)).toHaveLength(1);
  expect(faults).toContain("received: ");
});
