import { tokenAuthentication } from "@acp-kit/http";
import { webSocketAgent } from "@acp-kit/http/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RawClient } from "../../test/raw-client.js";
import { Served } from "../../test/served.js";

let served: Served;
let client: RawClient;
let session: string;
beforeEach(async () => {
  served = await Served.start({
    authenticate: tokenAuthentication(
      new Map([
        ["for-ann", { tenant: "acme", user: "ann" }],
        ["for-bob", { tenant: "acme", user: "bob" }],
      ]),
    ),
    longPollMs: 50,
    gateway: { limits: { maxPageEntries: 5, maxJournals: 3 } },
  });
  client = new RawClient(await webSocketAgent(served.server.webSocketUrl, { token: "for-ann" }).open());
  await client.initialize();
  session = await client.newSession();
});
afterEach(async () => {
  await client.connection.close();
  await served.close();
});

/** A turn of `count` words: `count + 2` entries. */
async function turn(text: string, count: number): Promise<void> {
  const { turn, response } = await served.turn(client, session, text);
  for (let i = 0; i < count; i += 1) turn.say(`${text} ${i} `);
  turn.end();
  await response;
}

function get(
  query: string,
  { token = "for-ann", headers = {}, id = session, signal = null as AbortSignal | null } = {},
) {
  return fetch(`${served.server.url}/sessions/${id}/journal${query}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal,
  });
}

/** Reads all entries after an offset, page by page. */
async function catchUp(from = "-1"): Promise<{ entries: { type: string }[]; offset: string; caches: string[] }> {
  const entries: { type: string }[] = [];
  const caches: string[] = [];
  for (let offset = from; ; ) {
    const response = await get(`?offset=${offset}`);
    expect(response.status).toBe(200);
    entries.push(...((await response.json()) as { type: string }[]));
    caches.push(response.headers.get("cache-control") ?? "");
    const next = response.headers.get("stream-next-offset") ?? "";
    expect(next >= offset || offset === "-1").toBe(true);
    offset = next;
    if (response.headers.get("stream-up-to-date") === "true") return { entries, offset, caches };
  }
}

describe("gateway.journal-stream: a session's journal as a read-only stream", () => {
  it("is read page by page, each entry once, from any offset", async () => {
    await turn("a", 6);
    const { entries, offset } = await catchUp();
    expect(entries.map(({ type }) => type)).toEqual(["turn_started", ...Array(6).fill("update"), "turn_ended"]);
    await turn("b", 1);
    expect((await catchUp(offset)).entries).toHaveLength(3);
  });

  it("lets a client cache full pages, and revalidates the last page", async () => {
    await turn("a", 12);
    const first = await get("?offset=-1");
    const offset = first.headers.get("stream-next-offset");
    const middle = await get(`?offset=${offset}`);
    expect(middle.headers.get("cache-control")).toBe("private, max-age=86400, immutable");
    const { caches } = await catchUp();
    expect(caches.at(-1)).toBe("private, no-cache");
    const etag = middle.headers.get("etag") ?? "";
    const again = await get(`?offset=${offset}`, { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    for (const response of [first, middle]) expect(response.headers.get("vary")).toContain("authorization");
  });

  it("waits for an entry by long poll, and responds 204 without one", async () => {
    await turn("a", 1);
    const { offset } = await catchUp();
    const none = await get(`?offset=${offset}&live=long-poll`);
    expect([none.status, none.headers.get("stream-next-offset")]).toEqual([204, offset]);
    expect(none.headers.get("stream-cursor")).toMatch(/^\d+$/);
    let response = get(`?offset=${offset}&live=long-poll`);
    const { turn: running, response: ended } = await served.turn(client, session, "b");
    const types: string[] = [];
    for (let polls = 0; types.length === 0 && polls < 100; polls += 1) {
      const polled = await response;
      if (polled.status === 200) types.push(...((await polled.json()) as { type: string }[]).map(({ type }) => type));
      else response = get(`?offset=${offset}&live=long-poll`);
    }
    expect(types[0]).toBe("turn_started");
    running.end();
    await ended;
  });

  it("responds to another principal as for an unknown stream", async () => {
    const foreign = await get("?offset=-1", { token: "for-bob" });
    const invented = await get("?offset=-1", { token: "for-bob", id: "0".repeat(32) });
    expect(foreign.status).toBe(404);
    expect(await foreign.text()).toBe(await invented.text());
    const withoutDate = (response: Response) => [...response.headers].filter(([name]) => name !== "date");
    expect(withoutDate(foreign)).toEqual(withoutDate(invented));
    expect((await get("?offset=-1", { token: "wrong" })).status).toBe(401);
    expect((await get("?offset=-1", { id: "..%2f..%2fetc" })).status).toBe(404);
  });

  it("refuses streams beyond the limit of a principal, until another stream has ended", async () => {
    const reading = new AbortController();
    const live = () => get("?offset=now&live=sse", { signal: reading.signal });
    const responses = await Promise.all([live(), live(), live()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const refused = await get("?offset=-1");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(await refused.text()).toContain("maxJournals");
    expect((await get("?offset=-1", { token: "for-bob" })).status).toBe(404);
    reading.abort();
    await expect.poll(async () => (await get("?offset=-1")).status).toBe(200);
  });

  it("refuses writes, and offsets that it never returned", async () => {
    for (const offset of ["0,1", "x".repeat(10_000), "-2", "", "1_1"])
      expect((await get(`?offset=${encodeURIComponent(offset)}`)).status).toBe(400);
    expect((await get("?offset=-1&offset=-1")).status).toBe(400);
    expect((await get("?live=long-poll")).status).toBe(400);
    expect((await get(`?offset=${"z".repeat(5).padStart(11, "0")}_00000000001`)).status).toBe(410);
    for (const method of ["PUT", "POST", "DELETE"]) {
      const { status } = await fetch(`${served.server.url}/sessions/${session}/journal`, {
        method,
        headers: { authorization: "Bearer for-ann" },
      });
      expect(status).toBe(405);
    }
  });
});
