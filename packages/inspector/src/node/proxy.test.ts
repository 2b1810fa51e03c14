import { PassThrough, Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { recordProcess } from "@acp-kit/testing/node";
import { readRecording } from "@acp-kit/testing/recording";
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { expect, it } from "vitest";
import { inspectProxy } from "./index.js";

const agent = fileURLToPath(new URL("../../test/echo-agent.mjs", import.meta.url));

it("shows the wire between the official SDK's client and its agent, unchanged", async () => {
  await using inspector = await inspectProxy();
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const running = recordProcess({
    recorder: inspector.recorder,
    command: process.execPath,
    args: [agent],
    stdin,
    stdout,
    stderr,
  });
  const stream = ndJsonStream(
    Writable.toWeb(stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(stdout) as ReadableStream<Uint8Array>,
  );
  let text = "";
  const app = client({ name: "sdk-client" }).onNotification(methods.client.session.update, ({ params: { update } }) => {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") text += update.content.text;
  });
  await app.connectWith(stream, async (connection) => {
    await connection.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
    const { sessionId } = await connection.request(methods.agent.session.new, { cwd: "/", mcpServers: [] });
    const prompt = [{ type: "text" as const, text: "spaces  and \u2028" }];
    const response = await connection.request(methods.agent.session.prompt, { sessionId, prompt });
    expect(response).toMatchObject({ stopReason: "end_turn" });
  });
  expect(text).toBe("spaces  and \u2028");
  stdin.end();
  await running.ended;
  const shown = readRecording(inspector.recording()).entries.flatMap((entry) =>
    entry.kind === "message" ? [(entry.message as { method?: string }).method ?? "response"] : [],
  );
  expect(shown).toEqual([
    "initialize",
    "response",
    "session/new",
    "response",
    "session/prompt",
    "session/update",
    "response",
  ]);
});
