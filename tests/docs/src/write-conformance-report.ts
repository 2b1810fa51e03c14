// Writes the page about conformance from its data: `pnpm --filter @acp-kit/docs-tests conformance-report`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { conformanceReport, conformanceReportPath } from "./conformance-report.js";

writeFileSync(join(root, conformanceReportPath), conformanceReport());
