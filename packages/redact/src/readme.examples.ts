import { Connection, linkedTransports } from "@acp-kit/jsonrpc";
import { createRedactor, redactingTap } from "@acp-kit/redact";

/** Opens a session with a secret in its environment, and returns everything that was logged. */
export async function openSession(key: string): Promise<string[]> {
  const log: string[] = [];
  const redactor = createRedactor(); // one for each connection, shared by all code that shows or stores its messages
  const tap = redactingTap(({ message }) => log.push(JSON.stringify(message)), redactor);
  const agentErrors = redactor.lines(); // for standard error, which arrives in lines

  const [agentSide, clientSide] = linkedTransports();
  const agent = new Connection(agentSide);
  agent.onRequest("session/new", () => ({ sessionId: "s-1", _meta: { greeting: `Your key is ${key}.` } }));
  agent.listen();

  const client = new Connection(clientSide, { tap });
  client.listen();
  const mcpServers = [{ name: "search", command: "search", args: [], env: [{ name: "KEY", value: key }] }];
  await client.request("session/new", { cwd: "/work", mcpServers }); // hidden by its place: a value of `env`
  await client.close(); // the agent's connection ends with it

  // From now on, the redactor hides this value wherever it occurs.
  log.push(agentErrors(`search: started with ${key}`));
  log.push(redactor.redactText(`GET https://search.example/?q=acp&k=${encodeURIComponent(key)} failed`));
  // It hides this value because of the name of the flag, although it has not seen the value before.
  log.push(redactor.redactCommand(["search", "--api-key", "another one", "--verbose"]).join(" "));
  return log;
}
