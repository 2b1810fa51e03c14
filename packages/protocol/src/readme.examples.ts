import { extension, linkedTransports, Peer, v1Agent, v1Client } from "@acp-kit/protocol";

// Two peers in one process. For pipes, use `nodeTransport` of @acp-kit/stdio/node; for anything else, your own
// transport.
const [agentSide, clientSide] = linkedTransports();

// Extension methods begin with an underscore; any Standard Schema reads their params.
const anything = { "~standard": { version: 1 as const, vendor: "example", validate: (value: unknown) => ({ value }) } };
const agent = new Peer(agentSide, v1Agent, {
  extensions: { "_example.dev/echo": extension(anything, (params) => params) },
});
agent.handle("initialize", ({ clientCapabilities }) => {
  agent.setAgreement({ protocolVersion: 1, capabilities: clientCapabilities });
  return { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { list: {} } } };
});
agent.handle("session/list", async ({ cwd }) => ({ sessions: [{ sessionId: "s-1", cwd: cwd ?? "/" }] }));
agent.connection.listen();

const client = new Peer(clientSide, v1Client);
client.connection.listen();

export async function talk(): Promise<unknown[]> {
  const { protocolVersion, agentCapabilities } = await client.request("initialize", { protocolVersion: 1 });
  client.setAgreement({ protocolVersion, capabilities: agentCapabilities });

  const { sessions } = await client.request("session/list", { cwd: "/work" });
  const echo = await client.extensionRequest("_example.dev/echo", { hello: "there" });
  // The agent did not advertise this method, so the request is not sent.
  const refused = await client.request("session/delete", { sessionId: "s-1" }).catch(({ message }: Error) => message);
  await client.connection.close();
  return [sessions, echo, refused];
}
