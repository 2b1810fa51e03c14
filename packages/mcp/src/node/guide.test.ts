import { expect, test } from "vitest";
import type { Json } from "../../test/agent.js";
import { localAgent } from "../../test/local-agent.js";
import { work } from "./guide.examples.js";

test("the example of the guide: an agent on this machine deploys over HTTP, with progress, and reads why it failed", async () => {
  const agent = localAgent({ http: true });
  const texts: string[] = [];
  agent.results["session/prompt"] = async () => {
    const [server] = agent.declared();
    const [header] = (server?.headers ?? []) as { value: string }[];
    for (const id of [1, 2]) {
      const params = { name: "start", _meta: { progressToken: id } };
      const response = await fetch(String(server?.url), {
        method: "POST",
        headers: {
          authorization: header?.value ?? "",
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }),
      });
      texts.push(await response.text());
    }
    return { stopReason: "end_turn" };
  };
  let runs = 0;
  const deployments = {
    async start(folder: string, onStep: (step: number, of: number) => void) {
      runs += 1;
      onStep(1, 1);
      if (runs > 1) throw new Error("out of quota");
      return `https://${folder.split("/").at(-1)}.example`;
    },
  };
  const warnings: string[] = [];
  await work(agent.client, deployments, (text) => warnings.push(text));
  expect(warnings).toEqual([]);
  const [first = "", second] = texts;
  const messages = first.matchAll(/^data: (.+)$/gm);
  expect([...messages].map(([, data]) => JSON.parse(data as string) as Json)).toMatchObject([
    { method: "notifications/progress", params: { progressToken: 1, progress: 1, message: "Step 1 of 1" } },
    { id: 1, result: { content: [{ text: "https://shop.example" }] } },
  ]);
  expect(second).toContain("The deployment failed: out of quota");
});
