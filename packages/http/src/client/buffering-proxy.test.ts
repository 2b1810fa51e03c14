import { connectAgent } from "@acp-kit/client";
import fc from "fast-check";
import { expect, it } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { inProcessFetch } from "../../test/in-process-fetch.js";
import { createAcpHandler } from "../server/acp-handler.js";
import { fetchAgent } from "./http-agent.js";

const url = "http://localhost/acp";
const UPDATES = 50;

/**
 * A body that buffers chunks. It forwards a full block immediately, and less than a block some turns of the event loop
 * later.
 */
function gathered(response: Response, block: number, turns: number): Response {
  let held: Uint8Array[] = [];
  let size = 0;
  const gather = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      held.push(chunk);
      size += chunk.length;
      if (size < block) for (let n = 0; n < turns; n += 1) await new Promise((resolve) => setImmediate(resolve));
      for (const part of held) controller.enqueue(part);
      held = [];
      size = 0;
    },
  });
  return new Response(response.body?.pipeThrough(gather), response);
}

it("remote.nothing-lost: through a proxy that buffers events, every message arrives once and in order", async () => {
  const blocks = fc.record({ block: fc.integer({ min: 1, max: 4_096 }), turns: fc.nat(5) });
  await fc.assert(
    fc.asyncProperty(blocks, async ({ block, turns }) => {
      const handler = createAcpHandler(
        echoAgent({
          prompt: async (turn) => {
            for (let n = 0; n < UPDATES; n += 1) await turn.message(`${n};`);
          },
        }),
      );
      const fetch = inProcessFetch(handler.fetch, {
        response: (response, { method }) => (method === "GET" ? gathered(response, block, turns) : undefined),
      });
      const agent = await connectAgent(fetchAgent(url, { fetch }));
      const session = await agent.newSession({ cwd: "/" });
      let text = "";
      const turn = session.prompt("go");
      for await (const update of turn) text += (update as { content: { text: string } }).content.text;
      expect(text).toBe(Array.from({ length: UPDATES }, (_, n) => `${n};`).join(""));
      await agent.close();
      await handler.close();
    }),
    { numRuns: 20 },
  );
});

it("remote.dead-peers: a proxy that never forwards a stream ends the connection with a timeout", async () => {
  const handler = createAcpHandler(echoAgent());
  const fetch = inProcessFetch(handler.fetch, {
    response: (_, { method }) => (method === "GET" ? new Promise(() => {}) : undefined),
  });
  const limits = { responseTimeoutMs: 20, reconnectTimeoutMs: 20 };
  const agent = await connectAgent(fetchAgent(url, { fetch, limits }));
  await expect(agent.newSession({ cwd: "/" })).rejects.toMatchObject({
    code: "transport_failed",
    cause: { code: "timeout" },
  });
  await agent.close();
  await handler.close();
});
