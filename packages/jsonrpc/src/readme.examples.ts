import { Connection, invalidParams, isRpcError, linkedTransports } from "@acp-kit/jsonrpc";

/** Sends a build request to a peer, and returns its output lines in order. */
export async function watchBuild(target: string): Promise<string[]> {
  const [left, right] = linkedTransports(); // or a process, a pair of web streams, a transport of your own

  const builder = new Connection(right);
  builder.onRequest("build", async (params, { signal }) => {
    const { target } = params as { target: string };
    if (target === "") throw invalidParams("There is nothing to build", { path: "/target" });
    for (const step of ["compile", "link"]) {
      signal.throwIfAborted(); // the client has cancelled, or is gone
      await builder.notify("log", { line: `${step} ${target}` }); // waits while the transport has no room
    }
    return { artifact: `${target}.bin` };
  });
  builder.listen();

  const seen: string[] = [];
  const client = new Connection(left);
  client.onNotification("log", async (params) => {
    await Promise.resolve(); // handlers may be slow: later messages wait for them
    seen.push((params as { line: string }).line);
  });
  client.listen();

  try {
    const { artifact } = await client.request<{ artifact: string }>("build", { target }, { timeoutMs: 60_000 });
    seen.push(artifact);
  } catch (error) {
    if (!isRpcError(error)) throw error; // the connection ended, or the deadline passed
    seen.push(`${error.code} ${error.message}`);
  } finally {
    await client.close(); // the builder's connection ends with it
  }
  return seen;
}
