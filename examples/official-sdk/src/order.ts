// Prints one turn of the same agent with both clients. Each client takes a moment to show a text, as a page or a
// terminal does.
import { setImmediate as moment } from "node:timers/promises";
import { connectAgent, type Transport } from "@acp-kit/client";
import { client, methods, PROTOCOL_VERSION, type Stream } from "@agentclientprotocol/sdk";

type Print = (line: string) => void;

/** The turn with the SDK's client. */
export async function turnOfSdkClient(stream: Stream, print: Print): Promise<void> {
  const app = client({ name: "sdk-client" })
    .onNotification(methods.client.session.update, async ({ params: { update } }) => {
      await moment();
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") print(update.content.text);
    })
    .onRequest(methods.client.session.requestPermission, ({ params: { toolCall, options } }) => {
      print(`${toolCall.title}? yes`);
      return { outcome: { outcome: "selected", optionId: options[1]?.optionId ?? "" } };
    })
    .onRequest(methods.client.fs.readTextFile, ({ params: { path } }) => ({ content: `the content of ${path}` }));
  await app.connectWith(stream, async (agent) => {
    const clientCapabilities = { fs: { readTextFile: true } };
    await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities });
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: "/work", mcpServers: [] });
    const { stopReason } = await agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: "text", text: "read" }],
    });
    print(`Done: ${stopReason}`);
  });
}

/** The turn with acp-kit's client. */
export async function turnOfOurClient(transport: Transport, print: Print): Promise<void> {
  await using agent = await connectAgent(transport, {
    files: { readTextFile: ({ path }) => ({ content: `the content of ${path}` }) },
    permissions: async ({ toolCall }) => {
      print(`${toolCall.title}? yes`);
      return "allow_once";
    },
    onUpdate: async (update) => {
      await moment();
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") print(update.content.text);
    },
  });
  const session = await agent.newSession({ cwd: "/work" });
  const { stopReason } = await session.prompt("read").result;
  print(`Done: ${stopReason}`);
}
