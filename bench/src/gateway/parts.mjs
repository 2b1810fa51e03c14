// Gateways to measure, and clients of them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAgent } from "@acp-kit/agent";
import { createGatewayWith, memoryEngine } from "@acp-kit/gateway/internal";
import { sqliteEngine } from "@acp-kit/gateway/node";
import { Connection, linkedTransports } from "@acp-kit/jsonrpc";
import { spawnAgent } from "@acp-kit/stdio/node";

export const ann = { tenant: "bench", user: "ann" };
const unlimited = { maxConnectionsPerPrincipal: 1e6, maxSessions: 1e6, maxAgents: 1e6, maxAgentStarts: 1e6 };

/** Opens an engine by its name, in a temporary folder that is removed at the end of the process. */
export function engineOf(name) {
  if (name === "memory") return memoryEngine();
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return sqliteEngine({ path: join(folder, "gateway.sqlite") });
}

/** Starts a script of this folder. */
export const processOf =
  (script, ...args) =>
  () =>
    spawnAgent({ command: process.execPath, args: [fileURLToPath(new URL(script, import.meta.url)), ...args] });

/** An agent in this process that sends as many chunks as the prompt says. */
export function inProcess() {
  const agent = createAgent({
    info: { name: "bench", version: "1.0.0" },
    newSession: () => ({ sessionId: crypto.randomUUID() }),
    loadSession: () => ({}),
    prompt: async (turn) => {
      const count = Number(turn.text);
      for (let i = 0; i < count; i++) await turn.message("The quick brown fox jumps over the dog. ");
    },
  });
  return () => {
    const [ours, theirs] = linkedTransports({ serialize: false });
    agent.connect(theirs);
    return ours;
  };
}

export const gatewayOf = (engine, start, options = {}) =>
  createGatewayWith({
    engine: typeof engine === "string" ? engineOf(engine) : engine,
    start,
    limits: unlimited,
    ...options,
  });

/** A client that only counts messages, so that the gateway takes most of the time. */
export async function counter(gateway, onUpdate, capabilities = {}) {
  const connection = new Connection(endOf(gateway));
  connection.onNotification("session/update", onUpdate);
  connection.listen();
  await connection.request("initialize", { protocolVersion: 1, clientCapabilities: capabilities });
  return connection;
}

function endOf(gateway) {
  const [ours, theirs] = linkedTransports();
  gateway.accept(theirs, ann);
  return ours;
}

/** Returns the memory of the heap and of buffers after a garbage collection, in bytes. */
export async function memory() {
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
