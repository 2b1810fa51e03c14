// A page that controls an agent in a web worker. If the agent were behind a WebSocket, only the transport would be
// different.
import { connectAgent } from "@acp-kit/client";
import { portTransport } from "@acp-kit/example-own-transport/port-transport";

function show(text: string): void {
  const item = document.createElement("li");
  item.textContent = text;
  document.getElementById("log")?.append(item);
}

async function main(): Promise<void> {
  const worker = new Worker("./dist/worker.js");
  const agent = await connectAgent(portTransport(worker), {
    info: { name: "page", version: "1.0.0" },
    permissions: async () => "allow_once",
  });
  show(`connected to ${agent.info?.title}`);
  const session = await agent.newSession({ cwd: "/" });
  session.onUpdate((update) => {
    if (update.sessionUpdate === "plan") show(`plan: ${update.entries.map(({ status }) => status).join(", ")}`);
  });

  for (const text of ["/plan", "/permission", "Hello!"]) {
    const turn = session.prompt(text);
    const answer = await turn.text();
    show(`${text}: ${answer} (${(await turn.result).stopReason})`);
  }
  await agent.close();
  show("closed");
}

main().catch((error: unknown) => show(`failed: ${String(error)}`));
