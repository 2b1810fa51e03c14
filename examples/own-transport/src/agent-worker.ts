// An agent in a worker thread. Its code is the same as for a pipe.
import { type MessagePort, workerData } from "node:worker_threads";
import { createAgent } from "@acp-kit/agent";
import { portTransport } from "./port-transport.js";

const agent = createAgent({
  info: { name: "counter", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  async prompt(turn) {
    for (let number = 1; number <= Number(turn.text); number += 1) await turn.message(`${number} `);
  },
});

const { port } = workerData as { readonly port: MessagePort };
agent.connect(portTransport(port));
