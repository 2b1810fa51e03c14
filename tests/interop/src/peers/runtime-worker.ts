// Runs the task that a Node worker was started with, and posts the outcome.
import { parentPort, workerData } from "node:worker_threads";
import { httpAgent, webSocketAgent } from "@acp-kit/http/node";
import { play, type RuntimeTask } from "./runtime-client.js";

const task = workerData as RuntimeTask;
parentPort?.postMessage(await play(task, task.profile === "WebSocket" ? webSocketAgent : httpAgent));
