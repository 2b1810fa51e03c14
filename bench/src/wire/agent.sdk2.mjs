import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream } from "@agentclientprotocol/sdk/experimental/v2";
import { jobOf, peak, updateOf } from "./jobs.mjs";

// An agent on version 2 of the official SDK. Its turns end with the state `idle`, as in every agent of version 2.
let prompts = 0;

agent({ name: "bench" })
  .onRequest("initialize", () => ({
    protocolVersion: 2,
    info: { name: "bench", version: "1.0.0" },
    capabilities: { session: {} },
  }))
  .onRequest("session/new", () => ({ sessionId: crypto.randomUUID() }))
  .onRequest("session/prompt", async ({ params: { sessionId, prompt }, client }) => {
    const messageId = `u${++prompts}`;
    const send = (update) => client.notify("session/update", { sessionId, update });
    await send({ sessionUpdate: "user_message", messageId, content: prompt });
    await send({ sessionUpdate: "state_update", state: "running" });
    setImmediate(async () => {
      const job = jobOf(prompt);
      const update = { ...updateOf(job), messageId: `a${prompts}` };
      const before = peak();
      for (let i = 0; i < job.count; i++) await send(update);
      const _meta = { grown: peak() - before };
      await send({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn", _meta });
    });
    return { messageId };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
