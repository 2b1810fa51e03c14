import { type AgentCheck, agentWatch } from "../../agent/agent-scenario.js";
import { isObject, member, shown } from "../../wire/values.js";

/** The checks of agents: errors. */
export const errorsAgentChecks: readonly AgentCheck[] = [
  agentWatch({
    id: "watch/errors",
    title: "An error has an integer code and a message",
    verifies: ["ERR-01", "ERR-04", "ERR-02"],
    check({ spoken }, { countEntry, wrong }) {
      const defined = new Set([-32700, -32600, -32601, -32602, -32603, -32800, -32000, -32002]);
      for (const { from, kind, seq, message } of spoken) {
        if (from !== "agent" || kind !== "response" || !("error" in message)) continue;
        countEntry();
        const { code } = isObject(message.error) ? message.error : {};
        if (!Number.isInteger(code) || typeof member(message.error, "message") !== "string") {
          wrong("ERR-01", [seq], shown(message.error));
        } else if (isReserved(Number(code)) && !defined.has(Number(code))) {
          wrong("ERR-04", [seq], shown(message.error));
        }
      }
    },
  }),
];

function isReserved(code: number): boolean {
  return (code >= -32_768 && code <= -32_000) || (code >= -32_899 && code <= -32_800);
}
