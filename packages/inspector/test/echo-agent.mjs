// The smallest agent, without any library, so that a test can compare its messages byte by byte before and after a
// proxy.
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

// Not readline: since Node 24 it also ends lines at U+2028 and U+2029, which JSON may contain unescaped.
let rest = "";
for await (const text of process.stdin.setEncoding("utf8")) {
  const lines = (rest + text).split("\n");
  rest = lines.pop();
  for (const line of lines) respond(line);
}

function respond(line) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === "session/new") send({ id, result: { sessionId: "s1" } });
  else if (method === "session/prompt") {
    const update = { sessionUpdate: "agent_message_chunk", content: params.prompt[0] };
    send({ method: "session/update", params: { sessionId: params.sessionId, update } });
    send({ id, result: { stopReason: "end_turn" } });
  }
}
