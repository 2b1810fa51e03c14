import { createAgent } from "@acp-kit/agent";
import { connectAgent } from "@acp-kit/client";
import { Connection, RpcError } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { afterEach, describe, expect, it } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { inProcessFetch } from "../../test/in-process-fetch.js";
import { type AcpHandler, createAcpHandler } from "../server/acp-handler.js";
import { tokenAuthentication } from "../server/principal.js";
import { isRemoteError } from "../wire/remote-error.js";
import type { ConnectionChange } from "./connection-change.js";
import { fetchAgent } from "./http-agent.js";
import { webSocketAgent } from "./web-socket-agent.js";

const url = "http://localhost/acp";
const handlers: AcpHandler[] = [];
const serve: typeof createAcpHandler = (agent, options) => {
  const handler = createAcpHandler(agent, options);
  handlers.push(handler);
  return handler;
};
afterEach(async () => {
  await Promise.all(handlers.splice(0).map((handler) => handler.close()));
});

async function text(turn: AsyncIterable<unknown>): Promise<string[]> {
  const texts: string[] = [];
  for await (const update of turn) {
    const { content } = update as { content?: { text?: string } };
    if (content?.text !== undefined) texts.push(content.text);
  }
  return texts;
}

describe("the limits of a remote agent", () => {
  it.each([fetchAgent, webSocketAgent] as const)("of %o can't be NaN, which would be no limit, or misspelt", (open) => {
    const at = open === fetchAgent ? url : "ws://localhost/acp";
    expect(() => open(at, { limits: { maxMessageBytes: Number.NaN } })).toThrow(
      new TypeError("limits.maxMessageBytes must be a number from 0 to Infinity, not NaN"),
    );
    expect(() => open(at, { limits: { maxMessageByte: 1 } as object })).toThrow(
      new TypeError('limits.maxMessageByte is unknown; did you mean "maxMessageBytes"?'),
    );
  });
});

it("the errors about a URL name the function that the application has called", async () => {
  const secret = "https://ann:secret@localhost/acp";
  expect(() => fetchAgent("ftp://localhost")).toThrow("fetchAgent: the URL must begin with http: or https:, not ftp:");
  expect(() => fetchAgent(secret)).toThrow("fetchAgent: the URL must not contain a user or password");
  const agent = fetchAgent(url);
  await agent.close();
  await expect(agent.open()).rejects.toThrow("fetchAgent: the agent was closed.");
});

describe("a client over streamable HTTP", () => {
  it("sends a prompt, and receives the updates and the result", async () => {
    const handler = serve(echoAgent());
    await using agent = await connectAgent(fetchAgent(url, { fetch: inProcessFetch(handler.fetch) }));
    const session = await agent.newSession({ cwd: "/" });
    const turn = session.prompt("hello");
    expect(await text(turn)).toEqual(["hello"]);
    expect((await turn.result).stopReason).toBe("end_turn");
  });

  it("responds to a permission request", async () => {
    const handler = serve(echoAgent());
    await using agent = await connectAgent(fetchAgent(url, { fetch: inProcessFetch(handler.fetch) }), {
      permissions: [async () => "allow_once"],
    });
    const session = await agent.newSession({ cwd: "/" });
    expect(await text(session.prompt("permit"))).toEqual(["allowed: true"]);
  });

  it("reports no lost connection when it closes, even if the streams end before the response to DELETE arrives", async () => {
    const handler = serve(echoAgent());
    const streamsEnded: Promise<void>[] = [];
    const fetch = inProcessFetch(handler.fetch, {
      response: async (response, { method }) => {
        if (method === "DELETE") {
          await Promise.all(streamsEnded);
          await new Promise(setImmediate); // the client reads the ends
        }
        if (method !== "GET" || response.body === null) return undefined;
        const watched = new TransformStream<Uint8Array, Uint8Array>();
        streamsEnded.push(response.body.pipeTo(watched.writable));
        return new Response(watched.readable, response);
      },
    });
    const changes: ConnectionChange[] = [];
    const agent = await connectAgent(
      fetchAgent(url, { fetch, onConnectionChange: (change) => void changes.push(change) }),
    );
    await agent.newSession({ cwd: "/" });
    await agent.close();
    expect(streamsEnded).toHaveLength(2);
    expect(changes).toEqual([]);
  });

  it("resolves a load after the replay was handled (order.replay-before-response)", async () => {
    const handler = serve(echoAgent({ history: Array.from({ length: 500 }, (_, index) => `${index}`) }));
    await using agent = await connectAgent(fetchAgent(url, { fetch: inProcessFetch(handler.fetch) }));
    let updates = 0;
    const session = await agent.loadSession(
      { sessionId: "old", cwd: "/" },
      {
        onUpdate: () => {
          updates += 1;
        },
      },
    );
    expect(updates).toBe(500);
    expect(await text(session.prompt("on"))).toEqual(["on"]);
  });

  it("rejects requests before initialize, and requests sent before the agent has rejected initialize", async () => {
    let accepts = false;
    const agent = serve(() => ({
      connect: (transport) => {
        const peer = new Connection(transport);
        peer.onRequest("initialize", () => {
          if (accepts) return { protocolVersion: 1 };
          throw new RpcError(-32_000, "not yet");
        });
        peer.onRequest("session/new", () => ({ sessionId: "s" }));
        peer.listen();
        return peer;
      },
    }));
    const source = fetchAgent(url, { fetch: inProcessFetch(agent.fetch) });
    const connection = new Connection(await source.open());
    connection.listen();
    const early = { name: "RpcError", code: -32_600, message: expect.stringContaining("begins with initialize") };
    await expect(connection.request("session/new", {})).rejects.toMatchObject(early);
    const refused = connection.request("initialize", {});
    const behind = connection.request("session/new", {});
    await expect(refused).rejects.toMatchObject({ code: -32_000, message: "not yet" });
    await expect(behind).rejects.toMatchObject(early);
    accepts = true;
    const accepted = connection.request("initialize", {});
    const next = connection.request("session/new", {});
    expect(await accepted).toEqual({ protocolVersion: 1 });
    expect(await next).toEqual({ sessionId: "s" });
    await source.close();
  });

  it("delivers updates that the agent sends directly after the response to session/new, in the same turn of the event loop as the response", async () => {
    const order: string[] = [];
    const agent = serve(() => ({
      connect: (transport) => {
        const peer = new Connection(transport);
        peer.onRequest("initialize", () => ({ protocolVersion: 1 }));
        peer.onRequest("session/new", (_, { afterResponse }) => {
          for (let count = 0; count < 300; count += 1) {
            afterResponse(() => void peer.notify("session/update", { sessionId: "s", text: "x".repeat(500) }));
          }
          return { sessionId: "s" };
        });
        peer.listen();
        return peer;
      },
    }));
    const source = fetchAgent(url, { fetch: inProcessFetch(agent.fetch) });
    const transport = await source.open();
    const nothing = { malformed: () => {}, ended: () => {}, failed: () => {} };
    const done = new Promise<void>((resolve) => {
      transport.start({
        message: (message) => {
          const { id, method } = message as { id?: number; method?: string };
          if (id === 1) transport.send({ jsonrpc: "2.0", id: 2, method: "session/new", params: {} });
          if (id === 2) {
            order.push("response");
            setImmediate(() => order.push("next turn"));
            setImmediate(resolve);
          }
          if (method !== undefined) order.push("update");
        },
        ...nothing,
      });
    });
    transport.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
    await done;
    expect(order).toEqual(["response", ...Array.from({ length: 300 }, () => "update"), "next turn"]);
    await source.close();
  });

  it("resumes, lists, closes and deletes sessions", async () => {
    const stored = new Set(["old", "other"]);
    const calls: string[] = [];
    const handler = serve(
      createAgent({
        info: { name: "stored", version: "1.0.0" },
        newSession: () => ({ sessionId: "new" }),
        resumeSession: ({ sessionId }) => void calls.push(`resume ${sessionId}`),
        closeSession: ({ sessionId }) => void calls.push(`close ${sessionId}`),
        deleteSession: ({ sessionId }) => void stored.delete(sessionId),
        listSessions: () => ({ sessions: [...stored].map((sessionId) => ({ sessionId, cwd: "/" })) }),
        prompt: async () => {},
      }),
    );
    await using agent = await connectAgent(fetchAgent(url, { fetch: inProcessFetch(handler.fetch) }));
    const listed = async (): Promise<string[]> => {
      const ids: string[] = [];
      for await (const { sessionId } of agent.listSessions()) ids.push(sessionId);
      return ids;
    };
    const session = await agent.resumeSession({ sessionId: "old", cwd: "/" });
    expect(await listed()).toEqual(["old", "other"]);
    await session.close();
    expect(calls).toEqual(["resume old", "close old"]);
    await agent.deleteSession("old");
    await agent.deleteSession("never opened");
    expect(await listed()).toEqual(["other"]);
  });

  it("keeps its connection if the server refuses a notification because its session is not open", async () => {
    const handler = serve(echoAgent());
    const closed = deferred();
    const fetch = inProcessFetch(handler.fetch, {
      request: async (request) => {
        if ((await request.clone().text()).includes("session/cancel")) await closed.promise;
      },
    });
    const source = fetchAgent(url, { fetch, reconnect: false });
    const reported = deferred<string>();
    const connection = new Connection(await source.open(), {
      onDiagnostic: ({ message }) => reported.resolve(message),
    });
    connection.listen();
    await connection.request("initialize", { protocolVersion: 1 });
    const { sessionId } = await connection.request<{ sessionId: string }>("session/new", { cwd: "/", mcpServers: [] });
    const closing = connection.request("session/close", { sessionId });
    void connection.notify("session/cancel", { sessionId });
    await closing;
    closed.resolve();
    const outcome = await Promise.race([reported.promise, connection.closed.then(String)]);
    expect(outcome).toContain("The session is not open on this connection");
    expect(await connection.request("session/new", { cwd: "/", mcpServers: [] })).toEqual({ sessionId: "s2" });
    await source.close();
  });

  it("ends its connection on the server when it is closed", async () => {
    const handler = serve(echoAgent());
    const agent = await connectAgent(fetchAgent(url, { fetch: inProcessFetch(handler.fetch) }));
    expect(handler.connections).toBe(1);
    await agent.close();
    expect(handler.connections).toBe(0);
  });
});

describe("credentials", () => {
  const authenticate = tokenAuthentication("second");

  it("sends a token", async () => {
    const handler = serve(echoAgent(), { authenticate });
    const refused = connectAgent(fetchAgent(url, { fetch: inProcessFetch(handler.fetch) }));
    await expect(refused).rejects.toMatchObject({ cause: { code: "unauthorized", status: 401 } });
    await using agent = await connectAgent(fetchAgent(url, { token: "second", fetch: inProcessFetch(handler.fetch) }));
    const session = await agent.newSession({ cwd: "/" });
    expect(session.sessionId).toBe("s1");
  });

  it("gets one new token for all requests that the server refuses with 401", async () => {
    const handler = serve(echoAgent(), { authenticate });
    const asked: boolean[] = [];
    const token = async ({ refresh }: { refresh: boolean }) => {
      asked.push(refresh);
      return refresh ? "second" : "first";
    };
    await using agent = await connectAgent(fetchAgent(url, { token, fetch: inProcessFetch(handler.fetch) }));
    await Promise.all([agent.newSession({ cwd: "/" }), agent.newSession({ cwd: "/" })]);
    expect(asked).toEqual([false, true]);
  });

  it("rejects with a typed error if the new token is refused, too", async () => {
    const handler = serve(echoAgent(), { authenticate });
    const connecting = connectAgent(fetchAgent(url, { token: () => "wrong", fetch: inProcessFetch(handler.fetch) }));
    const error = await connecting.catch((reason: unknown) => reason as Error);
    expect(error).toMatchObject({ code: "transport_failed", cause: { code: "unauthorized", status: 401 } });
    expect(isRemoteError((error as Error).cause)).toBe(true);
  });

  it("keeps cookies and sends them with every later request (RT-04)", async () => {
    const handler = serve(echoAgent());
    const seen: (string | null)[] = [];
    const fetch = inProcessFetch(handler.fetch, {
      request: (request) => void seen.push(`${request.method} ${request.headers.get("cookie")}`),
      response: (response) => {
        const { status, body } = response;
        const headers = new Headers(response.headers);
        headers.append("set-cookie", "replica=7; Path=/; HttpOnly");
        return new Response(body, { status, headers });
      },
    });
    const visit = async (headers: Record<string, string>): Promise<void> => {
      const agent = await connectAgent(fetchAgent(url, { fetch, headers }));
      await agent.newSession({ cwd: "/" });
      await agent.close();
    };
    await visit({});
    expect(seen[0]).toBe("POST null");
    expect(new Set(seen.slice(1))).toEqual(new Set(["GET replica=7", "POST replica=7", "DELETE replica=7"]));
    await visit({ Cookie: "mine=1" });
    expect(seen.slice(-1)).toEqual(["DELETE replica=7; mine=1"]);
  });
});

describe("failures", () => {
  it("rejects with a typed error and the reason when the server is unreachable", async () => {
    const fetch = async () => {
      throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    };
    await expect(connectAgent(fetchAgent("http://localhost/acp?token=x", { fetch }))).rejects.toMatchObject({
      cause: { code: "unreachable", message: "POST http://localhost/acp failed: connect ECONNREFUSED" },
    });
  });

  it("rejects when the URL is not an ACP endpoint", async () => {
    const fetch = async () => new Response("<html>", { status: 200 });
    await expect(connectAgent(fetchAgent(url, { fetch }))).rejects.toMatchObject({ cause: { code: "bad_response" } });
    const missing = async () => new Response("no", { status: 404 });
    await expect(connectAgent(fetchAgent(url, { fetch: missing }))).rejects.toMatchObject({
      cause: { status: 404, body: "no" },
    });
  });

  it("aborts with the caller's reason", async () => {
    const handler = serve(echoAgent());
    const controller = new AbortController();
    const source = fetchAgent(url, { fetch: inProcessFetch(handler.fetch), signal: controller.signal });
    const agent = await connectAgent(source);
    controller.abort(new Error("enough"));
    await expect(agent.newSession({ cwd: "/" })).rejects.toMatchObject({
      cause: { code: "aborted", cause: { message: "enough" } },
    });
    await agent.close();
  });

  it("connects again after a restart of the server, and opens the session again", async () => {
    let handler = serve(echoAgent());
    const fetch = inProcessFetch((request) => handler.fetch(request));
    await using agent = await connectAgent(fetchAgent(url, { fetch }));
    const session = await agent.newSession({ cwd: "/" });
    await text(session.prompt("before"));
    await handler.close();
    handler = serve(echoAgent());
    await expect.poll(() => agent.state).toBe("disconnected");
    expect(await text(session.prompt("after"))).toEqual(["after"]);
  });

  it("throws immediately for a URL that is neither HTTP nor HTTPS", () => {
    expect(() => fetchAgent("ftp://localhost/acp")).toThrow(TypeError);
  });

  it("throws immediately for a URL with credentials, without them in the message", () => {
    const refused = expect(() => fetchAgent("http://alice:s3cret@localhost/acp"));
    refused.toThrow(TypeError);
    refused.not.toThrow(/s3cret|alice/);
  });
});
