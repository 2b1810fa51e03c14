import { once } from "node:events";
import { connect } from "node:net";
import { connectAgent } from "@acp-kit/client";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { echoAgent } from "../../test/echo-agent.js";
import { initializeRequest, RawClient } from "../../test/raw-client.js";
import { Refusal } from "../server/refusal.js";
import type { ServedAgent } from "../server/served-agent.js";
import { httpAgent, webSocketAgent } from "./remote-agents.js";
import { type HttpAgentServer, serveHttp } from "./serve-http.js";

const servers: HttpAgentServer[] = [];
const serve: typeof serveHttp = async (agent, options) => {
  const server = await serveHttp(agent, options);
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A choice of an agent that waits for `release`, and the number of connections of the agent. */
function slowAgent() {
  const gate = deferred();
  let connected = 0;
  const agent = echoAgent();
  return {
    choose: async (): Promise<ServedAgent> => {
      await gate.promise;
      return {
        connect: (transport, defaults) => {
          connected += 1;
          return agent.connect(transport, defaults);
        },
      };
    },
    release: () => gate.resolve(),
    get connected() {
      return connected;
    },
  };
}

const failing = (): ServedAgent => ({
  connect: () => {
    throw new Error("no process left");
  },
});

/** The status of the response to an upgrade, and the socket. */
async function upgrade(server: HttpAgentServer): Promise<{ status: number; socket: WebSocket }> {
  const socket = new WebSocket(server.webSocketUrl);
  socket.on("error", () => {});
  const status = await new Promise<number>((resolve) => {
    socket.once("open", () => resolve(101));
    socket.once("unexpected-response", (request, response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
  });
  return { status, socket };
}

/** Enough time for a busy machine. */
const patient = { timeout: 20_000 };
const tooMany = (statuses: readonly number[]) => statuses.filter((status) => status === 503).length;

describe("the limits of connections", () => {
  it("apply to concurrent requests: no further agent is connected", async () => {
    const agent = slowAgent();
    const server = await serve(agent.choose, { limits: { maxConnections: 3 } });
    const statuses: number[] = [];
    const othersRefused = deferred();
    const responses = Array.from({ length: 12 }, () => new RawClient(fetch, server.url).initialize()).map((response) =>
      response.then(({ status }) => {
        statuses.push(status);
        if (tooMany(statuses) === 9) othersRefused.resolve();
      }),
    );
    await othersRefused.promise;
    expect(server.connections).toBe(3);
    agent.release();
    await Promise.all(responses);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(agent.connected).toBe(3);
  });

  it("apply to concurrent upgrades", async () => {
    const server = await serve(echoAgent(), {
      authenticate: async () => ({ user: "ann" }),
      limits: { maxConnections: 3 },
    });
    const upgrades = await Promise.all(Array.from({ length: 12 }, () => upgrade(server)));
    expect(tooMany(upgrades.map(({ status }) => status))).toBe(9);
    for (const { socket } of upgrades) socket.terminate();
    await expect.poll(() => server.connections, patient).toBe(0);
  });

  it("do not count connections whose agent can't be connected or whose handshake fails", async () => {
    const onError: unknown[] = [];
    const server = await serve(failing(), { limits: { maxConnections: 1 }, onError: (error) => onError.push(error) });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await new RawClient(fetch, server.url).initialize()).status).toBe(500);
    }
    expect(onError).toHaveLength(3);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const socket = connect(server.port, "127.0.0.1");
      socket.write(
        "GET /acp HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\r\n",
      );
      const [response] = (await once(socket, "data")) as [Buffer];
      expect(response.toString()).toMatch(/^HTTP\/1.1 400 /); // no key
      socket.destroy();
    }
    expect(server.connections).toBe(0);
  });
});

describe("an agent that throws when it is connected", () => {
  it("causes the refusal of that connection with an internal error, and the server continues", async () => {
    const errors: unknown[] = [];
    let isBroken = true;
    const agent = echoAgent();
    const server = await serve(() => (isBroken ? failing() : agent), { onError: (error) => errors.push(error) });
    const { socket } = await upgrade(server);
    socket.send(JSON.stringify(initializeRequest));
    const [code, reason] = (await once(socket, "close")) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([1011, "the server failed to provide the agent"]);
    await expect(connectAgent(httpAgent(server.url))).rejects.toMatchObject({ cause: { status: 500 } });
    expect(errors).toEqual([new Error("no process left"), new Error("no process left")]);
    isBroken = false;
    for (const source of [httpAgent(server.url), webSocketAgent(server.webSocketUrl)]) {
      await (await connectAgent(source)).close();
    }
  });
});

describe("an agent that is refused with a long message", () => {
  it("closes the WebSocket with the reason also if the agent closes its transport before it refuses", async () => {
    const server = await serve({
      connect: (transport) => {
        void transport.close();
        throw new Refusal(429, "At most 1 connections may be open at once");
      },
    });
    const { socket } = await upgrade(server);
    socket.send(JSON.stringify(initializeRequest));
    const [code, reason] = (await once(socket, "close")) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([1013, "At most 1 connections may be open at once"]);
  });

  it("closes the WebSocket with the part of the message that fits into a close frame", async () => {
    const server = await serve(() => {
      throw new Refusal(429, "\u20ac".repeat(100)); // 300 bytes
    });
    const { socket } = await upgrade(server);
    socket.send(JSON.stringify(initializeRequest));
    const [code, reason] = (await once(socket, "close")) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([1013, "\u20ac".repeat(41)]); // 123 bytes
    await expect.poll(() => server.connections, patient).toBe(0);
  });
});

describe("a server that closes while it chooses an agent", () => {
  it("refuses the connection with 503 and connects no agent", async () => {
    const agent = slowAgent();
    const server = await serve(agent.choose);
    const response = new RawClient(fetch, server.url).initialize();
    await expect.poll(() => server.connections, patient).toBe(1);
    const socket = await upgrade(server).then((upgraded) => upgraded.socket);
    socket.send(JSON.stringify(initializeRequest));
    const closed = once(socket, "close");
    const closing = server.close();
    expect((await response).status).toBe(503);
    expect((await closed)[0]).toBe(1001);
    await closing;
    agent.release();
    expect(agent.connected).toBe(0);
  });
});

describe("an agent that is never chosen", () => {
  it("gets 504 after initializeTimeoutMs", async () => {
    const server = await serve(() => new Promise<never>(() => {}), { limits: { initializeTimeoutMs: 30 } });
    const response = await new RawClient(fetch, server.url).initialize();
    expect(response.status).toBe(504);
    expect(server.connections).toBe(0);
  });
});
