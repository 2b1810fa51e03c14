// A client on the official SDK 2.4.0, like the one in its README. It starts the agent of its arguments, prompts once,
// and serves files from its working directory. SIGINT cancels the turn.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from "sdk-2";

const [command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const output = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>;
const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;

const app = client({ name: "sdk-2-client" })
  .onNotification(methods.client.session.update, ({ params: { update } }) => {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
      process.stdout.write(update.content.text);
    }
  })
  .onRequest(methods.client.session.requestPermission, ({ params: { options } }) => {
    const option = options.find(({ kind }) => kind === "allow_once");
    return { outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" } };
  })
  .onRequest(methods.client.fs.readTextFile, async ({ params: { path, line, limit } }) => {
    const lines = (await readFile(path, "utf8")).split("\n");
    const from = (line ?? 1) - 1;
    return { content: lines.slice(from, typeof limit === "number" ? from + limit : undefined).join("\n") };
  })
  .onRequest(methods.client.fs.writeTextFile, async ({ params: { path, content } }) => {
    await writeFile(path, content);
    return {};
  });

await app
  .connectWith(ndJsonStream(output, input), async (agent) => {
    const { protocolVersion } = await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
      clientInfo: { name: "sdk-2-client", version: "1.0.0" },
    });
    if (protocolVersion !== PROTOCOL_VERSION) throw new Error(`The agent speaks version ${protocolVersion}`);
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: process.cwd(), mcpServers: [] });
    process.on("SIGINT", () => void agent.notify(methods.agent.session.cancel, { sessionId }));
    const { stopReason } = await agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: "text", text: "Hello" }],
    });
    process.exitCode = stopReason === "end_turn" ? 0 : 4;
  })
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
child.stdin.end();
const timer = setTimeout(() => child.kill(), 1000);
if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
clearTimeout(timer);
process.exit();
