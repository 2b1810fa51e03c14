import { connectAgent } from "@acp-kit/client";
import { byteTransport } from "@acp-kit/stdio";
import fc from "fast-check";
import { expect, it } from "vitest";
import { RawPeer } from "./harness/raw-peer.js";
import type { WireMessage } from "./harness/wire.js";

it("noise.random-lines: random bytes between the lines of a conversation change nothing of it", async () => {
  const line = fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.json(), fc.uint8Array({ maxLength: 50 }));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
      const toClient = new TransformStream<Uint8Array, Uint8Array>();
      const toAgent = new TransformStream<Uint8Array, Uint8Array>();
      const agentOut = toClient.writable.getWriter();
      const encoder = new TextEncoder();
      const write = (bytes: Uint8Array): void => void agentOut.write(bytes).catch(() => {});
      const peer = new RawPeer((messages) => {
        for (const message of messages) write(encoder.encode(`${JSON.stringify(message)}\n`));
      });
      void readLines(toAgent.readable, peer);
      peer.answer("initialize", { protocolVersion: 1 });
      peer.answer("session/new", { sessionId: "s1" });
      peer.answer("session/prompt", () => {
        for (const [n, line] of lines.entries()) {
          const bytes = typeof line === "string" ? encoder.encode(line) : line;
          write(bytes);
          write(encoder.encode("\n"));
          peer.say("s1", String(n));
        }
        return { stopReason: "end_turn" };
      });
      const client = await connectAgent(byteTransport({ readable: toClient.readable, writable: toAgent.writable }));
      const session = await client.newSession({ cwd: "/work" });
      const heard: string[] = [];
      const turn = session.prompt("go");
      for await (const update of turn) heard.push((update as { content: { text: string } }).content.text);
      expect(await turn.result).toEqual({ stopReason: "end_turn" });
      expect(heard).toEqual(lines.map((_line, n) => String(n)));
      await client.close();
    }),
    { numRuns: 150 },
  );
});

async function readLines(readable: ReadableStream<Uint8Array>, peer: RawPeer): Promise<void> {
  let rest = "";
  for await (const text of readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) peer.receive(JSON.parse(line) as WireMessage);
  }
}
