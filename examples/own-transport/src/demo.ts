// A client in this thread receives 5,000 updates from an agent in another thread. Then the agent's thread ends, and the
// client is notified.
import assert from "node:assert/strict";
import { once } from "node:events";
import { MessageChannel, Worker } from "node:worker_threads";
import { connectAgent, isConnectionError } from "@acp-kit/client";
import { portTransport } from "./port-transport.js";

/** An agent in another thread, and this thread's end of the channel to it. */
function startThread(): { thread: Worker; port: MessageChannel["port1"] } {
  const { port1, port2 } = new MessageChannel();
  // This example runs TypeScript with tsx. In compiled code, write
  // `new Worker(new URL("./agent-worker.js", import.meta.url), …)`.
  const script = new URL("./agent-worker.ts", import.meta.url).href;
  const load = `import("tsx/esm/api").then(({ tsImport }) => tsImport("${script}", "${import.meta.url}"))`;
  const thread = new Worker(load, { eval: true, workerData: { port: port2 }, transferList: [port2] });
  return { thread, port: port1 };
}

{
  const { thread, port } = startThread();
  const exited = once(thread, "exit");
  await using agent = await connectAgent(portTransport(port));
  assert.equal(agent.info?.name, "counter");
  const session = await agent.newSession({ cwd: "/" });
  const turn = session.prompt("5000");
  const numbers: number[] = [];
  for await (const text of turn.textStream) numbers.push(Number(text));
  assert.deepEqual(
    numbers,
    Array.from({ length: 5_000 }, (_, index) => index + 1),
  );
  assert.deepEqual(await turn.result, { stopReason: "end_turn" });
  await agent.close();
  assert.deepEqual(await exited, [0], "closing our side ends the thread");
}

{
  const { thread, port } = startThread();
  await using agent = await connectAgent(portTransport(port));
  const session = await agent.newSession({ cwd: "/" });
  const turn = session.prompt("1000000");
  await turn[Symbol.asyncIterator]().next();
  await thread.terminate();
  const error = await turn.result.catch((error: unknown) => error);
  assert(isConnectionError(error), "the death of the thread settles the turn");
}

console.log("own-transport: 5,000 updates in order; each side is notified when the other ends");
