import { Connection, linkedTransports } from "@acp-kit/jsonrpc";
import { createRedactor, redactingTap } from "@acp-kit/redact";

/** Opens a session with a secret in its environment, and returns everything that was logged of it. */
export async function openSession(key: string): Promise<string[]> {
  const log: string[] = [];
  const redactor = createRedactor(); // one for each connection, shared by everything that shows or keeps it
  const tap = redactingTap(({ message }) => log.push(JSON.stringify(message)), redactor);
  const agentErrors = redactor.lines(); // standard error comes in lines

  const [agentSide, clientSide] = linkedTransports();
  await using agent = new Connection(agentSide);
  agent.onRequest("session/new", () => ({ sessionId: "s-1", _meta: { greeting: `Your key is ${key}.` } }));
  agent.listen();

  await using client = new Connection(clientSide, { tap });
  client.listen();
  const mcpServers = [{ name: "search", command: "search", args: [], env: [{ name: "KEY", value: key }] }];
  await client.request("session/new", { cwd: "/work", mcpServers }); // hidden by its place: a value of `env`

  // Hidden by value from now on, wherever it stands.
  log.push(agentErrors(`search: started with ${key}`));
  log.push(redactor.redactText(`GET https://search.example/?q=acp&k=${encodeURIComponent(key)} failed`));
  // Hidden by form and by the name of a flag, though they were never seen before.
  log.push(redactor.redactCommand(["search", "--api-key", "another one", "--verbose"]).join(" "));
  return log;
}
