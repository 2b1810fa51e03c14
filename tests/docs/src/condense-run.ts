// Condenses the reports of one run of `acp-kit conformance --json` into the data of docs/conformance/runs, on standard
// output.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { condense } from "./condense.js";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { peer: { type: "string" }, version: { type: "string" } },
});
const reports = positionals.map((file) => JSON.parse(readFileSync(file, "utf8")));
process.stdout.write(`${JSON.stringify(condense(reports, values), undefined, 2)}\n`);
