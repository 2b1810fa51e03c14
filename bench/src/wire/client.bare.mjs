import { spawn } from "node:child_process";
import { readValues, valueWriter } from "./lines.mjs";

/** The bare limit: values over a pipe. A value with an id is a response; any other value is an update. */
export async function connect(args, onUpdate) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const write = valueWriter(child.stdin);
  const waiting = new Map();
  let next = 0;
  readValues(child.stdout, ({ id, result, params }) => {
    if (id === undefined) return onUpdate(params.update);
    waiting.get(id)(result);
    waiting.delete(id);
  });
  const request = (method, params) =>
    new Promise((resolve) => {
      const id = next++;
      waiting.set(id, resolve);
      void write({ jsonrpc: "2.0", id, method, params });
    });
  await request("initialize", { protocolVersion: 1 });
  return {
    pid: child.pid,
    async open() {
      const { sessionId } = await request("session/new", { cwd: "/work", mcpServers: [] });
      return {
        prompt: (prompt) => request("session/prompt", { sessionId, prompt }),
        setMode: () => request("session/set_mode", { sessionId, modeId: "code" }),
      };
    },
    close: () => child.kill(),
  };
}
