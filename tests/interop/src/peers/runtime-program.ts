// Runs the task of its first argument with the platform-neutral client: `bun run`, `deno run`. Prints the outcome as a
// line of JSON.
import { fetchAgent, webSocketAgent } from "@acp-kit/http";
import { play, type RuntimeTask } from "./runtime-client.js";

const task = JSON.parse(process.argv[2] ?? "") as RuntimeTask;
console.log(JSON.stringify(await play(task, task.profile === "WebSocket" ? webSocketAgent : fetchAgent)));
