import ts from "typescript-api";
import type { ConformanceReport } from "../src/report/report.js";
import { reproScript } from "../src/report/repro/repro-script.js";

/** Rules whose faults have no dialogue, with the reason. */
const withoutScript: Readonly<Record<string, string>> = {
  "TRANS-07": "A client that does not read standard error never sends a message: there is nothing to replay.",
  "TRANS-02": "A client that starts no agent sends nothing.",
};

/**
 * Returns the faults of a report that have no script, or a script that does not parse, and the findings whose texts are
 * not sentences. Adds the rules of faults with a script to `shown`.
 */
export function reproDefects(report: ConformanceReport, shown: Set<string>): readonly string[] {
  const scripts = report.faults.flatMap((fault) => {
    const script = reproScript(report, fault);
    if (script === undefined)
      return fault.rules.every((rule) => rule in withoutScript) ? [] : [`${fault.rules.join(", ")}: no script`];
    for (const rule of fault.rules) shown.add(rule);
    return syntaxErrors(script).map(({ messageText }) => `${fault.rules.join(", ")}: ${messageText}`);
  });
  const findings = report.scenarios.flatMap(({ verdict }) => (verdict.status === "failed" ? verdict.findings : []));
  const texts = findings.flatMap(({ requirement, sent, received, explanation }) => {
    const isTold = sent.length > 1 && received.length > 1;
    const isSentence = /^[A-Z`"$/].{12,}[.]$/s.test(explanation) && !/^(?:It|They|That|This)\b/.test(explanation);
    return isTold && isSentence ? [] : [`${requirement}: ${explanation}`];
  });
  return [...new Set([...scripts, ...texts])];
}

/** Only parses the script: `transpileModule` also transforms and prints it, which takes several times longer. */
function syntaxErrors(script: string): readonly ts.DiagnosticWithLocation[] {
  const file = ts.createSourceFile("repro.mjs", script, ts.ScriptTarget.Latest);
  return (file as ts.SourceFile & { readonly parseDiagnostics: readonly ts.DiagnosticWithLocation[] }).parseDiagnostics;
}
