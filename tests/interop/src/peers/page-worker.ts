// The script of a web worker: runs each task that it receives, and posts the outcome.
import { fetchAgent, webSocketAgent } from "@acp-kit/http";
import { play, type RuntimeTask } from "./runtime-client.js";

declare function postMessage(outcome: unknown): void;

addEventListener("message", async (event) => {
  const task = (event as unknown as { data: RuntimeTask }).data;
  postMessage(await play(task, task.profile === "WebSocket" ? webSocketAgent : fetchAgent));
});

declare function addEventListener(type: "message", listener: (event: unknown) => void): void;
