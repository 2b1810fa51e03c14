// Condenses a report of `acp-kit conformance --json` into the data of docs/conformance/runs, on standard output.
import { readFileSync } from "node:fs";
import type { ConformanceRun } from "./conformance-report.js";

const [file = "", peer] = process.argv.slice(2);
const report = JSON.parse(readFileSync(file, "utf8"));
const weighs = (tier: string): boolean => tier === "mandatory" || tier === "capability";
const { scenarios } = report.counts;
const run: ConformanceRun = {
  role: report.role,
  peer: peer ?? report.subject.name ?? report.subject.command,
  version: report.subject.version ?? "",
  date: report.startedAt.slice(0, 10),
  rules: report.made.rules,
  kit: report.made.kit,
  verdict: report.verdict,
  faults: report.counts.faults,
  passed: scenarios.passed,
  skipped: scenarios.skipped,
  inconclusive: scenarios.inconclusive,
  broken: report.requirements
    .filter(({ status }: { status: string }) => status === "failed")
    .map(({ id, tier, findings = [] }: { id: string; tier: string; findings?: { advice?: boolean }[] }) => ({
      rule: id,
      weighs: weighs(tier) && findings.some(({ advice }) => advice !== true),
    })),
};
process.stdout.write(`${JSON.stringify(run, undefined, 2)}\n`);
