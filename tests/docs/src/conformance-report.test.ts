import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { expect, it } from "vitest";
import { conformanceReport, conformanceReportPath } from "./conformance-report.js";

it("conformance.report-is-generated: the page about conformance equals the page generated from its data", () => {
  expect(readFileSync(join(root, conformanceReportPath), "utf8")).toBe(conformanceReport());
});
