import { Connection, linkedTransports, RpcError } from "@acp-kit/jsonrpc";
import { expect, it } from "vitest";
import { clientTransport } from "./client-transport.js";

/** An MCP client of an agent whose client answers the calls with `answers`, in this order. Records all methods. */
async function opened(...answers: ({ result: object } | RpcError)[]) {
  const [clientSide, agentSide] = linkedTransports();
  const seen: string[] = [];
  const client = new Connection(clientSide);
  client.onRequest("mcp/message", (params) => {
    seen.push((params as { method: string }).method);
    const answer = answers.shift();
    if (answer instanceof RpcError) throw answer;
    return answer;
  });
  client.onRequest("mcp/connect", () => {
    seen.push("mcp/connect");
    throw new RpcError(-32601, "Method not found");
  });
  client.listen();
  const agent = new Connection(agentSide);
  const transport = clientTransport({ peer: { connection: agent } }, { type: "acp", name: "t", serverId: "s" });
  agent.listen();
  await transport.start();
  let count = 0;
  const request = (method: string): Promise<object> =>
    new Promise((resolve) => {
      transport.onmessage = resolve;
      count += 1;
      void transport.send({ jsonrpc: "2.0", id: count, method });
    });
  return { seen, request };
}

it.each([-32601, -32602])(
  "sends a call once that the client refuses with %i after a call in the current form",
  async (code) => {
    const { seen, request } = await opened({ result: { tools: [] } }, new RpcError(code, "Refused by the tool"));
    expect(await request("tools/list")).toMatchObject({ id: 1, result: { tools: [] } });
    expect(await request("tools/call")).toMatchObject({ id: 2, error: { code, message: "Refused by the tool" } });
    expect(seen).toEqual(["tools/list", "tools/call"]);
  },
);

it("tries the earlier form if the client refuses the first call, and reports the refusal if it doesn't know that either", async () => {
  const { seen, request } = await opened(new RpcError(-32602, "connectionId is missing"));
  expect(await request("tools/list")).toMatchObject({ error: { code: -32602, message: "connectionId is missing" } });
  expect(seen).toEqual(["tools/list", "mcp/connect"]);
});
