// Plays the task that a worker of Node was started with, and posts what happened.
import { parentPort, workerData } from "node:worker_threads";
import { httpAgent, webSocketAgent } from "@acp-kit/http/node";
import { play, type RuntimeTask } from "./runtime-client.js";

const task = workerData as RuntimeTask;
parentPort?.postMessage(await play(task, task.profile === "WebSocket" ? webSocketAgent : httpAgent));
