import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Rig, startRig, tokens } from "./rig.js";
import { RpcCaller } from "./rpc-caller.js";
import { exchange, httpConnection, statusOf } from "./wire.js";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

/** Invented ids of the same length as real ones. */
const madeUp = { session: "0".repeat(32), connection: "A".repeat(24) };

const params = { cwd: "/", mcpServers: [], prompt: [], modeId: "m", configId: "c", value: "v", modelId: "m" };

/** Every method of a session, and an unknown method. */
const methods = [
  ...[
    "load",
    "resume",
    "prompt",
    "close",
    "delete",
    "fork",
    "set_mode",
    "set_config_option",
    "set_model",
    "unknown",
  ].map((name) => `session/${name}`),
  "_vendor/request",
  "nes/suggest",
  "document/didOpen",
];

describe.each(["bob", "otherAnn"] as const)("gateway.isolation-on-the-wire: as %s", (who) => {
  it.each(methods)("%s over WebSocket gets the same bytes as for an unknown id", async (method) => {
    const answers: string[] = [];
    for (const sessionId of [rig.victim.sessionId, madeUp.session]) {
      const caller = await RpcCaller.open(rig.server, tokens[who]);
      const from = caller.received.length;
      await caller.request(method, { ...params, sessionId });
      await caller.request("session/list", {}); // No other message arrived.
      answers.push(caller.received.slice(from).join("\n"));
      await caller.close();
    }
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toMatch(/"error":|"result":\{\}/);
    expect(answers[0]).not.toContain(rig.victim.sessionId);
  });

  it.each(methods)("%s over HTTP gets the same response as for an unknown id", async (method) => {
    const answers: string[] = [];
    for (const sessionId of [rig.victim.sessionId, madeUp.session]) {
      const connection = await httpConnection(rig.server, tokens[who]);
      const headers = { "acp-connection-id": connection };
      let isAccepted = true;
      const stream = exchange(
        rig.server,
        { method: "GET", token: tokens[who], headers: { ...headers, accept: "text/event-stream" } },
        (text) => !isAccepted || text.includes('"id":1'),
      );
      const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, sessionId } };
      const posted = await exchange(rig.server, {
        token: tokens[who],
        headers: { ...headers, "acp-session-id": sessionId },
        body,
      });
      isAccepted = statusOf(posted) < 400;
      answers.push(`${posted}\n${await stream}`);
      await exchange(rig.server, { method: "DELETE", token: tokens[who], headers });
    }
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toMatch(/"error":|"result":\{\}/);
    expect(answers[0]).not.toContain(rig.victim.sessionId);
  });

  it.each([
    ["POST", { body: { jsonrpc: "2.0", id: 1, method: "session/list", params: {} } }, {}],
    ["POST", { body: { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "x" } } }, {}],
    ["POST", { body: { jsonrpc: "2.0", id: 1, result: {} } }, {}],
    ["POST", { body: "not json" }, {}],
    ["GET", {}, { accept: "text/event-stream" }],
    ["GET", {}, { accept: "text/event-stream", "acp-session-id": "SESSION" }],
    ["GET", {}, { accept: "text/event-stream", "last-event-id": "CURSOR" }],
    ["GET", {}, { upgrade: "websocket", connection: "upgrade" }],
    ["DELETE", {}, {}],
    ["PUT", {}, {}],
  ] as const)(
    "%s %j %j on a connection of another principal gets the same response as on an unknown connection",
    async (method, request, more) => {
      const filled = Object.fromEntries(
        Object.entries(more).map(([name, value]) => [
          name,
          value.replace("SESSION", rig.victim.sessionId).replace("CURSOR", rig.victim.cursor),
        ]),
      );
      const responses = await Promise.all(
        [rig.victim.connectionId, madeUp.connection].map((id) =>
          exchange(rig.server, {
            method,
            token: tokens[who],
            ...request,
            headers: { ...filled, "acp-connection-id": id },
          }),
        ),
      );
      expect(responses[0]).toBe(responses[1]);
      expect(statusOf(responses[0] ?? "")).toBeGreaterThanOrEqual(400);
    },
  );

  it.each(["journal", "journal?offset=-1", "journal?offset=-1&live=sse", "", "unknown"])(
    "a request to sessions/<id>/%s gets the same response as for an unknown id",
    async (page) => {
      for (const method of ["GET", "HEAD", "POST", "DELETE"]) {
        const responses = await Promise.all(
          [rig.victim.sessionId, madeUp.session].map((id) =>
            exchange(rig.server, { method, path: `/acp/sessions/${id}/${page}`, token: tokens[who] }),
          ),
        );
        expect(responses[0]).toBe(responses[1]);
        expect(statusOf(responses[0] ?? "")).toBeGreaterThanOrEqual(400);
      }
    },
  );
});
