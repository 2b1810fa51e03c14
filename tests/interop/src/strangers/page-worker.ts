// The script of a worker of a page: plays each task that it is sent, and posts what happened.
import { httpAgent, webSocketAgent } from "@acp-kit/http";
import { play, type RuntimeTask } from "./runtime-client.js";

declare function postMessage(outcome: unknown): void;

addEventListener("message", async (event) => {
  const task = (event as unknown as { data: RuntimeTask }).data;
  postMessage(await play(task, task.profile === "WebSocket" ? webSocketAgent : httpAgent));
});

declare function addEventListener(type: "message", listener: (event: unknown) => void): void;
