import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { RawClient } from "../../test/raw-client.js";
import { type AcpHandler, createAcpHandler } from "./acp-handler.js";

let handler: AcpHandler;
let client: RawClient;
beforeEach(async () => {
  handler = createAcpHandler(echoAgent());
  client = new RawClient(handler.fetch);
  await client.initialize();
});
afterEach(() => handler.close());

interface ServerEvent {
  readonly id: string;
  readonly data: { readonly id?: number };
}

/** Opens the connection stream, takes so many events, and cuts it. */
async function take(count: number, lastEventId?: string): Promise<ServerEvent[]> {
  const response = await client.request("GET", {
    accept: "text/event-stream",
    ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
  });
  if (response.status !== 200 || response.body === null) throw new Error(`${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const events = () =>
    text
      .split("\n\n")
      .slice(0, -1)
      .map((block) => block.split("\n"));
  while (events().length < count) text += (await reader.read()).value ?? "";
  await reader.cancel();
  return events().map((lines) => ({
    id: lines.find((line) => line.startsWith("id: "))?.slice(4) ?? "",
    data: JSON.parse(lines.find((line) => line.startsWith("data: "))?.slice(6) ?? "") as { id?: number },
  }));
}

const list = (id: number) =>
  client.post({ jsonrpc: "2.0", id, method: "session/new", params: { cwd: "/", mcpServers: [] } });

describe("events with ids", () => {
  it("continue after Last-Event-ID, each event once", async () => {
    for (let id = 1; id <= 5; id += 1) await list(id);
    const first = await take(5);
    expect(first.map(({ data }) => data.id)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(first.map(({ id }) => id)).size).toBe(5);
    const again = await take(3, first[1]?.id);
    expect(again).toEqual(first.slice(2));
    await list(6);
    expect((await take(1, again.at(-1)?.id)).map(({ data }) => data.id)).toEqual([6]);
  });

  it("are refused with 410 when the id is invalid or belongs to another stream", async () => {
    await list(1);
    const [event] = await take(1);
    const other = new RawClient(handler.fetch);
    await other.initialize();
    for (const id of [event?.id ?? "", "1", "x".repeat(10_000)]) {
      const response = await other.request("GET", { accept: "text/event-stream", "last-event-id": id });
      expect(response.status).toBe(410);
    }
  });
});
