// An agent written with the official SDK.
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

const turns = new Map<string, AbortController>();

agent({ name: "sdk-agent" })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "sdk-agent", version: "1.0.0" },
    agentCapabilities: { loadSession: false },
  }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: crypto.randomUUID() }))
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const turn = new AbortController();
    turns.set(sessionId, turn);
    const say = (text: string): Promise<void> => {
      const update = { sessionUpdate: "agent_message_chunk" as const, content: { type: "text" as const, text } };
      return client.notify(methods.client.session.update, { sessionId, update });
    };
    const [first] = prompt;
    if (first?.type === "text" && first.text === "wait") {
      await say("waiting");
      await new Promise<void>((resolve) => turn.signal.addEventListener("abort", () => resolve(), { once: true }));
      return { stopReason: "cancelled" };
    }
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: "call_1", title: "Read a.txt" },
      options: [
        { optionId: "1", name: "No", kind: "reject_once" },
        { optionId: "2", name: "Yes", kind: "allow_once" },
      ],
    });
    const allowed = outcome.outcome === "selected" && outcome.optionId === "2";
    if (!allowed) return { stopReason: "refusal" };
    const { content } = await client.request(methods.client.fs.readTextFile, { sessionId, path: "/work/a.txt" });
    await say(`It says: ${content}`);
    return { stopReason: "end_turn" };
  })
  .onNotification(methods.agent.session.cancel, ({ params: { sessionId } }) => turns.get(sessionId)?.abort())
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );
