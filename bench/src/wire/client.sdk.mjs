import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

/** A client on the official SDK: an app with a handler for updates, or an active session if updates are queued. */
export async function connect(args, onUpdate, { queued = false } = {}) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  const app = client({ name: "bench" });
  if (!queued) app.onNotification(methods.client.session.update, ({ params }) => onUpdate(params.update));
  const agent = await new Promise((resolve) => {
    void app.connectWith(stream, (connected) => {
      resolve(connected);
      return new Promise(() => {});
    });
  });
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  return {
    pid: child.pid,
    async open() {
      if (queued) return openQueued(agent);
      const { sessionId } = await agent.request(methods.agent.session.new, { cwd: "/work", mcpServers: [] });
      return {
        prompt: (prompt) => agent.request(methods.agent.session.prompt, { sessionId, prompt }),
        setMode: () => agent.request(methods.agent.session.setMode, { sessionId, modeId: "code" }),
      };
    },
    close: () => child.kill(),
  };
}

async function openQueued(agent) {
  const session = await agent.buildSession("/work").start();
  return {
    async queue(blocks) {
      await session.prompt(blocks);
      return async () => {
        for (let count = 0; ; count++) if ((await session.nextUpdate()).kind === "stop") return count;
      };
    },
  };
}
