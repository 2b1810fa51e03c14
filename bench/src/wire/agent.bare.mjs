import { jobOf, peak, updateOf } from "./jobs.mjs";
import { readValues, valueWriter } from "./lines.mjs";

const write = valueWriter(process.stdout);

readValues(process.stdin, async ({ id, method, params }) => {
  if (method !== "session/prompt") return write({ jsonrpc: "2.0", id, result: { sessionId: "s", protocolVersion: 1 } });
  const job = jobOf(params.prompt);
  const update = updateOf(job);
  const before = peak();
  for (let i = 0; i < job.count; i++) {
    await write({ jsonrpc: "2.0", method: "session/update", params: { sessionId: params.sessionId, update } });
  }
  return write({ jsonrpc: "2.0", id, result: { stopReason: "end_turn", _meta: { grown: peak() - before } } });
});
