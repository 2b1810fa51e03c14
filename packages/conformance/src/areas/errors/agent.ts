import { type AgentCheck, messageWatch } from "../../agent/agent-scenario.js";
import { member, shown } from "../../wire/values.js";

const defined: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32603, -32800, -32000, -32002]);

/** The checks of agents: errors. */
export const errorsAgentChecks: readonly AgentCheck[] = [
  messageWatch("watch/errors", ["ERR-01", "ERR-04", "ERR-02"], {
    title: "An error has an integer code and a message",
    isAbout: ({ kind, message }) => kind === "response" && "error" in message,
    check({ seq, message: { error } }, wrong) {
      const code = member(error, "code");
      if (!Number.isInteger(code) || typeof member(error, "message") !== "string") wrong("ERR-01", [seq], shown(error));
      else if (isReserved(Number(code)) && !defined.has(Number(code))) wrong("ERR-04", [seq], shown(error));
    },
  }),
];

function isReserved(code: number): boolean {
  return (code >= -32_768 && code <= -32_000) || (code >= -32_899 && code <= -32_800);
}
