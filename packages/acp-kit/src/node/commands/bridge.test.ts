import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { commandLine } from "../../../test/program.js";
import { demoAgent, sandbox, start } from "../../../test/spawned.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);

const v2Agent = [
  "--",
  process.execPath,
  fileURLToPath(new URL("../../../test/fixtures/v2-agent.mjs", import.meta.url)),
];

/** Runs a prompt with the client of version 1 of this command line, through the bridge. */
async function run(prompt: string, agent: readonly string[], ...options: readonly string[]) {
  const bridge = ["--", process.execPath, await commandLine(), "bridge", ...options, ...agent];
  return (await start(["run", prompt, ...bridge], home, { cwd })).ended;
}

describe("acp-kit bridge", () => {
  it("serves an agent of version 2 to a client of version 1", async () => {
    const { code, out, err } = await run("hello", v2Agent);
    expect({ code, out }, err).toEqual({ code: 0, out: "hello\n" });
  });

  it("never approves a permission request", async () => {
    const { code, out, err } = await run("ask", v2Agent);
    expect({ code, out }, err).toEqual({ code: 0, out: '{"outcome":"cancelled"}\n' });
  });

  it("forwards the messages of an agent of version 1 unchanged", async () => {
    const { code, out, err } = await run("hello", await demoAgent());
    expect(code, err).toBe(0);
    expect(out).toContain("text: hello");
  });

  it("serves an agent of version 1 to a client of version 2, and exits with 0 when the client closes its input", async () => {
    const server = await start(["bridge", ...(await demoAgent())], home, { cwd, keepsStdin: true });
    const send = (message: object): void =>
      void server.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    send({ id: 1, method: "initialize", params: { protocolVersion: 2, info: { name: "c", version: "1" } } });
    await server.until("out", '"id":1');
    send({ id: 2, method: "session/new", params: { cwd } });
    await server.until("out", '"id":2');
    const { result } = JSON.parse(
      server
        .out()
        .split("\n")
        .find((line) => line.includes('"id":2')) ?? "",
    );
    send({
      id: 3,
      method: "session/prompt",
      params: { sessionId: result.sessionId, prompt: [{ type: "text", text: "hello" }] },
    });
    await server.until("out", '"state":"idle"');
    server.child.stdin?.end();
    const { code, out } = await server.ended;
    const messages = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(messages.find(({ id }) => id === 1).result).toMatchObject({
      protocolVersion: 2,
      capabilities: { session: {} },
    });
    expect(messages.find(({ id }) => id === 3).result).toHaveProperty("messageId");
    expect(JSON.stringify(messages)).toContain('"state":"running"');
  });

  it("exits with code 3 if the agent can't be started or ends, and with 2 without an agent", async () => {
    const missing = await (await start(["bridge", "--", "/no/such/agent"], home, { cwd, keepsStdin: true })).ended;
    expect(missing.code).toBe(3);
    expect(missing.err).toContain("/no/such/agent");
    const ended = await (await start(["bridge", "--", process.execPath, "-e", ""], home, { cwd, keepsStdin: true }))
      .ended;
    expect(ended.code).toBe(3);
    expect((await (await start(["bridge"], home, { cwd })).ended).code).toBe(2);
  });
});
