import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { client, ndJsonStream } from "@agentclientprotocol/sdk/experimental/v2";

/** A client on version 2 of the official SDK. It waits for the state `idle`, which the SDK leaves to its users. */
export async function connect(args, onUpdate) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  const ends = new Map();
  const app = client({ name: "bench" });
  app.onNotification("session/update", ({ params: { sessionId, update } }) => {
    if (update.sessionUpdate === "agent_message_chunk") onUpdate(update);
    else if (update.sessionUpdate === "state_update" && update.state === "idle") ends.get(sessionId)?.(update);
  });
  const agent = await new Promise((resolve) => {
    void app.connectWith(stream, (connected) => {
      resolve(connected);
      return new Promise(() => {});
    });
  });
  const info = { name: "bench", version: "1.0.0" };
  await agent.request("initialize", { protocolVersion: 2, info, capabilities: {} });
  return {
    pid: child.pid,
    async open() {
      const { sessionId } = await agent.request("session/new", { cwd: "/work", mcpServers: [] });
      return {
        async prompt(prompt) {
          const ended = new Promise((resolve) => ends.set(sessionId, resolve));
          await agent.request("session/prompt", { sessionId, prompt });
          return await ended;
        },
      };
    },
    close: () => child.kill(),
  };
}
