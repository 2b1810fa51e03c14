import { isRpcError } from "@acp-kit/protocol";
import { expect, test } from "vitest";
import { connect, signal } from "../test/connect.js";

const long = "x".repeat(2 ** 20);

test("hostile.echo: an error response repeats at most a prefix of the client's text", async () => {
  const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
  const option = { id: "model", name: "Model", type: "select" as const, currentValue: "a", options: [] };
  const { peer } = await connect({
    definition: {
      newSession: () => ({ sessionId: "s1", modes, configOptions: [option] }),
      setSessionMode: () => {},
      setSessionConfigOption: () => {},
      listSessions: () => ({ sessions: [] }),
      authMethods: [{ id: "login", name: "Log in" }],
      authenticate: () => {},
    },
  });
  const params = { cwd: "/work", mcpServers: [] };
  await peer.request("session/new", params);
  const strange = { type: long, name: long, url: "https://x", headers: [] } as never;
  const calls = [
    peer.request("session/prompt", { sessionId: long, prompt: [] }),
    peer.request("session/prompt", { sessionId: "s1", prompt: [{ type: long } as never] }),
    peer.request("session/new", { ...params, cwd: long }),
    peer.request("session/new", { ...params, mcpServers: [strange] }),
    peer.request("session/list", { cwd: long }),
    peer.request("session/set_mode", { sessionId: "s1", modeId: long }),
    peer.request("session/set_config_option", { sessionId: "s1", configId: long, value: "a" }),
    peer.request("session/set_config_option", { sessionId: "s1", configId: "model", value: long }),
    peer.connection.request("session/set_config_option", {
      ...{ sessionId: "s1", configId: "model", type: "future", value: { long } },
    }),
    peer.request("authenticate", { methodId: long }),
    peer.connection.request(`_${long}`, {}),
  ];
  const results = await Promise.allSettled(calls);
  const errors = results.map((result) => (result.status === "rejected" ? result.reason : "answered"));
  expect(errors.map(isRpcError)).toEqual(calls.map(() => true));
  expect(Math.max(...errors.map((error) => JSON.stringify(error).length))).toBeLessThan(1_000);
});

test("hostile.echo: so does the diagnostic of a handler that failed", async () => {
  const { peer, diagnostics } = await connect({
    definition: {
      newSession: () => ({ sessionId: long }),
      prompt: () => Promise.reject(new Error("no model")),
    },
  });
  await peer.request("session/new", { cwd: "/work", mcpServers: [] });
  await peer.request("session/prompt", { sessionId: long, prompt: [] }).catch(() => {});
  const failed = diagnostics.find(({ code }) => code === "handler_failed");
  expect(failed?.message).toContain("session/prompt");
  expect(failed?.message.length).toBeLessThan(500);
});

test("a prompt handler receives the connection that the prompt came over", async () => {
  const handled = signal();
  const connections: unknown[] = [];
  const { peer, connection } = await connect({
    definition: {
      prompt: async (_, context) => {
        connections.push(context.connection);
        handled.happen();
      },
    },
  });
  await peer.request("session/new", { cwd: "/work", mcpServers: [] });
  await peer.request("session/prompt", { sessionId: "s1", prompt: [] });
  await handled.happened;
  expect(connections).toEqual([connection]);
});
