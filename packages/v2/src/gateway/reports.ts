import type { SessionViewOptions } from "@acp-kit/gateway/internal";
import { formatIssue, type Issue } from "@acp-kit/types/decode";
import { type LossKind, type Lost, losses } from "../codec/loss.js";

type Report = SessionViewOptions["report"];

/** Reports each kind of loss once. */
export function lossReporter(report: Report): Lost {
  const reported = new Set<LossKind>();
  return (kind) => {
    if (reported.has(kind)) return;
    reported.add(kind);
    report({ code: "version_loss", message: losses[kind], data: { kind } });
  };
}

/** Reports an update that could not be converted. */
export function invalidUpdate(report: Report, issues: readonly Issue[]): void {
  const [first] = issues.map(formatIssue);
  const message = `An update could not be converted, and was not sent to the client: ${first}`;
  report({ code: "invalid_params", message, method: "session/update" });
}
