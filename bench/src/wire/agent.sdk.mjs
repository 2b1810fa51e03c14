import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { jobOf, peak, updateOf } from "./jobs.mjs";

agent({ name: "bench" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: crypto.randomUUID() }))
  .onRequest(methods.agent.session.setMode, () => ({}))
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const job = jobOf(prompt);
    const update = updateOf(job);
    const before = peak();
    const all = [];
    for (let i = 0; i < job.count; i++) {
      const sent = client.notify(methods.client.session.update, { sessionId, update });
      if (job.burst) all.push(sent);
      else await sent;
    }
    await Promise.all(all);
    return { stopReason: "end_turn", _meta: { grown: peak() - before } };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
