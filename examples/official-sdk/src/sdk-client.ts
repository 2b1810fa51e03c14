// A client written with the official SDK, with the agent of acp-kit.
import assert from "node:assert/strict";
import { client, methods, PROTOCOL_VERSION, type Stream } from "@agentclientprotocol/sdk";

/** Runs the same three turns as `playWithOurClient`. */
export async function playWithSdkClient(stream: Stream, name: string): Promise<void> {
  let text = "";
  let allow = true;
  let heard = (): void => {};
  const app = client({ name: "sdk-client" })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") return;
      text += update.content.text;
      heard();
    })
    .onRequest(methods.client.session.requestPermission, ({ params: { options } }) => {
      const option = options.find(({ kind }) => kind === (allow ? "allow_once" : "reject_once"));
      assert(option);
      return { outcome: { outcome: "selected", optionId: option.optionId } };
    })
    .onRequest(methods.client.fs.readTextFile, ({ params: { path } }) => ({ content: `the content of ${path}` }));

  await app.connectWith(stream, async (agent) => {
    const { agentInfo } = await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: true } },
    });
    assert.equal(agentInfo?.name, name);
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: "/work", mcpServers: [] });
    const prompt = (text: string) => {
      return agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
    };

    assert.equal((await prompt("read")).stopReason, "end_turn");
    assert.equal(text, "It says: the content of /work/a.txt");

    allow = false;
    assert.equal((await prompt("read")).stopReason, "refusal");

    const waiting = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const third = prompt("wait");
    await waiting;
    await agent.notify(methods.agent.session.cancel, { sessionId });
    assert.equal((await third).stopReason, "cancelled");
  });
}
