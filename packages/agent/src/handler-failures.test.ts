import { linkedTransports } from "@acp-kit/protocol";
import { describe, expect, test } from "vitest";
import { connect, newSession, prompt, withSession } from "../test/connect.js";
import { createAgent, extension, RpcError } from "./index.js";

const broken = Object.assign(new Error("no model at 10.0.0.1"), { name: "ModelError", code: "EMODEL" });
const anything = {
  "~standard": { version: 1 as const, vendor: "test", validate: (value: unknown) => ({ value }) },
};

describe("a handler that throws", () => {
  test.each([
    ["at once", (): never => fail()],
    ["later", async (): Promise<never> => fail()],
  ])("is reported with its error, method and session, and says nothing to the client (%s)", async (_, handler) => {
    const { peer, diagnostics } = await withSession({ definition: { prompt: handler } });
    await expect(prompt(peer)).rejects.toMatchObject({
      code: -32603,
      message: "Internal error",
      data: undefined,
      cause: expect.any(Error), // the agent is in this process
    });
    expect(diagnostics).toEqual([
      {
        code: "handler_failed",
        message:
          'The handler of session/prompt failed in session s1; the client received the response "Internal error"',
        method: "session/prompt",
        id: 3,
        cause: broken,
        data: { sessionId: "s1" },
      },
    ]);
  });

  test("is reported without a session where there is none, also in an extension", async () => {
    const definition = { newSession: fail, extensions: { "_test/fail": extension(anything, fail) } };
    const { peer, diagnostics } = await connect({ definition });
    await expect(newSession(peer)).rejects.toMatchObject({ code: -32603 });
    await expect(peer.extensionRequest("_test/fail", {})).rejects.toMatchObject({ code: -32603, data: undefined });
    expect(diagnostics).toMatchObject([
      { code: "handler_failed", method: "session/new", cause: broken },
      { code: "handler_failed", method: "_test/fail", cause: broken },
    ]);
    expect(diagnostics[0]).not.toHaveProperty("data");
  });

  test("secret.errors-say-nothing: sends what the error says, never its stack, where the author asks for it", async () => {
    const { peer, diagnostics } = await withSession({
      definition: { prompt: async () => fail() },
      errorDetails: "send",
    });
    await expect(prompt(peer)).rejects.toMatchObject({
      code: -32603,
      message: "Internal error",
      data: { message: "no model at 10.0.0.1", name: "ModelError", code: "EMODEL" },
    });
    expect(diagnostics).toMatchObject([{ code: "handler_failed", cause: broken }]);
  });

  test.each([
    ["a text", "out of luck", { message: "out of luck" }],
    ["nothing", undefined, { message: "undefined" }],
    ["an object", { reason: 1 }, { message: "unknown error" }],
    ["a plain error", new Error("x"), { message: "x" }],
  ])("sends what there is of %s", async (_, thrown, data) => {
    const handler = () => Promise.reject(thrown);
    const { peer } = await withSession({ definition: { prompt: handler }, errorDetails: "send" });
    const error: unknown = await prompt(peer).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: -32603 });
    expect((error as RpcError).data).toEqual(data);
  });

  test("an RpcError is sent as it is, and not reported", async () => {
    const handler = () => Promise.reject(new RpcError(-32000, "Log in first", { data: { how: "in the browser" } }));
    const { peer, diagnostics } = await withSession({ definition: { prompt: handler }, errorDetails: "send" });
    const error = { code: -32000, message: "Log in first", data: { how: "in the browser" } };
    await expect(prompt(peer)).rejects.toMatchObject(error);
    expect(diagnostics).toEqual([]);
  });
});

describe("an onDiagnostic passed to connect", () => {
  const serve = async (own: boolean): Promise<{ served: unknown[]; authors: unknown[] }> => {
    const [agentSide, clientSide] = linkedTransports();
    const served: unknown[] = [];
    const authors: unknown[] = [];
    const agent = createAgent(
      { info: { name: "test", version: "1" }, newSession: fail, prompt: async () => {} },
      own ? { onDiagnostic: (diagnostic) => authors.push(diagnostic) } : {},
    );
    const connection = agent.connect(agentSide, { onDiagnostic: (diagnostic) => served.push(diagnostic) });
    const answered = new Promise<void>((resolve) => {
      clientSide.start({ message: () => resolve(), malformed() {}, ended() {}, failed() {} });
    });
    clientSide.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "x" } });
    await answered;
    clientSide.send({ jsonrpc: "2.0", method: "nobody/knows" });
    await connection.close();
    return { served, authors };
  };

  test("is used if the agent has none", async () => {
    expect(await serve(false)).toMatchObject({ served: [{ code: "unknown_notification" }], authors: [] });
  });

  test("is not used if the agent has its own", async () => {
    expect(await serve(true)).toMatchObject({ served: [], authors: [{ code: "unknown_notification" }] });
  });
});

function fail(): never {
  throw broken;
}
