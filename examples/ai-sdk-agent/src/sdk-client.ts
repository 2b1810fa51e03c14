// Runs the agent with a client of the official SDK: load, resume, permission, elicitation, cancel.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import type { Playground } from "./playground.js";

export async function playWithSdkClient({ command, args, env, cwd }: Playground, sessionId: string): Promise<void> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );

  let received: string[] = [];
  const asked: string[] = [];
  let running = (): void => {};
  const app = client({ name: "sdk-client" })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
        received.push(update.content.text);
      else received.push(update.sessionUpdate);
      if (update.sessionUpdate === "tool_call_update" && update.status === "in_progress") running();
    })
    .onRequest(methods.client.session.requestPermission, ({ params: { toolCall, options } }) => {
      asked.push(toolCall.title ?? "");
      const option = options.find(({ kind }) => kind === "allow_once");
      assert(option);
      return { outcome: { outcome: "selected", optionId: option.optionId } };
    })
    .onRequest(methods.client.elicitation.create, ({ params: { message } }) => {
      asked.push(message);
      return { action: "accept", content: { choice: "blue" } };
    });

  await app.connectWith(stream, async (agent) => {
    const { agentCapabilities } = await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { elicitation: { form: {} } },
    });
    assert.equal(agentCapabilities?.loadSession, true);
    const setup = { sessionId, cwd, mcpServers: [] };
    const prompt = async (text: string): Promise<string> => {
      received = [];
      return (await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] }))
        .stopReason;
    };
    const receivedText = (): string => received.filter((one) => !one.includes("_")).join("");

    await agent.request(methods.agent.session.load, setup);
    assert(received.includes("user_message_chunk") && received.includes("tool_call") && received.includes("plan"));
    assert(received.includes("The typo is fixed and the check passes."));
    await agent.request(methods.agent.session.close, { sessionId });

    received = [];
    await agent.request(methods.agent.session.resume, setup);
    assert(!received.includes("user_message_chunk"));

    assert.equal(await prompt("Please fix it once more"), "end_turn");
    assert.deepEqual(asked, ["Edit greeting.txt", "Run node check.mjs"]);

    assert.equal(await prompt("Please ask me"), "end_turn");
    assert.equal(asked.at(-1), "Which colour?");
    assert.equal(receivedText(), "You chose: blue");

    running = () => void agent.notify(methods.agent.session.cancel, { sessionId });
    assert.equal(await prompt("Please wait"), "cancelled");
  });
  child.stdin.end();
  await exited;
}
