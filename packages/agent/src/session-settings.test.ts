import type { SessionConfigOption, SessionModeState, SetSessionConfigOptionResponse } from "@acp-kit/types";
import { describe, expect, test, vi } from "vitest";
import { type Connected, type Setup, withSession } from "../test/connect.js";

const modes: SessionModeState = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
};

const model: SessionConfigOption = {
  id: "model",
  name: "Model",
  type: "select",
  currentValue: "small",
  options: [
    { group: "a", name: "A", options: [{ value: "small", name: "Small" }] },
    { group: "b", name: "B", options: [{ value: "large", name: "Large" }] },
  ],
};
const verbose: SessionConfigOption = { id: "verbose", name: "Verbose", type: "boolean", currentValue: false };

/** A session that has modes and options, with handlers that return nothing. */
function withSettings(setup: Setup = {}): Promise<Connected> {
  return withSession({
    capabilities: { session: { configOptions: { boolean: {} } } },
    ...setup,
    definition: {
      newSession: () => ({ sessionId: "s1", modes, configOptions: [model, verbose] }),
      setSessionMode: () => {},
      setSessionConfigOption: () => {},
      ...setup.definition,
    },
  });
}

const setMode = ({ peer }: Connected, modeId: string) => peer.request("session/set_mode", { sessionId: "s1", modeId });
const setOption = async ({ peer }: Connected, configId: string, value: string | boolean) =>
  (await peer.request("session/set_config_option", {
    sessionId: "s1",
    configId,
    ...(typeof value === "boolean" ? { type: "boolean" as const, value } : { value }),
  })) as SetSessionConfigOptionResponse;
const valuesOf = (options: readonly SessionConfigOption[]) =>
  Object.fromEntries(options.map(({ id, currentValue }) => [id, currentValue]));

describe("the mode of a session", () => {
  test("is the one in the response that opened it, then the one that the client sets", async () => {
    const connected = await withSettings();
    const session = connected.connection.session("s1");
    expect(session.modes?.currentModeId).toBe("ask");
    await setMode(connected, "code");
    expect(session.modes?.currentModeId).toBe("code");
  });

  test("MODE-06 is the one that the agent sends", async () => {
    const { connection } = await withSettings();
    await connection.session("s1").mode("code");
    expect(connection.session("s1").modes?.currentModeId).toBe("code");
  });

  test("MODE-04 can't be one that the session does not offer: -32602, and the handler is not called", async () => {
    const requested: string[] = [];
    const connected = await withSettings({
      definition: { setSessionMode: ({ modeId }) => void requested.push(modeId) },
    });
    await expect(setMode(connected, "deploy")).rejects.toMatchObject({
      code: -32602,
      data: { modeId: "deploy", available: ["ask", "code"] },
    });
    expect(requested).toEqual([]);
    expect(connected.connection.session("s1").modes?.currentModeId).toBe("ask");
  });

  test("stays when the handler throws, and is the handler's when it sends another", async () => {
    const connected = await withSettings({
      definition: {
        setSessionMode: ({ modeId }, { session }) => {
          if (modeId === "ask") throw new Error("no");
          void session("s1").mode("ask");
        },
      },
    });
    await setMode(connected, "code");
    expect(connected.connection.session("s1").modes?.currentModeId).toBe("ask");
    await expect(setMode(connected, "ask")).rejects.toThrow();
  });

  test("is the last that the client sets, if the handlers of two requests run at once", async () => {
    const connected = await withSettings({
      definition: { setSessionMode: () => new Promise<void>((resolve) => setImmediate(resolve)) },
    });
    await Promise.all([setMode(connected, "code"), setMode(connected, "ask")]);
    expect(connected.connection.session("s1").modes?.currentModeId).toBe("ask");
    await Promise.all([setMode(connected, "ask"), setMode(connected, "code")]);
    expect(connected.connection.session("s1").modes?.currentModeId).toBe("code");
  });

  test("is the one that the handler sends while it creates the session, because it is sent after the response", async () => {
    const { connection, updates } = await withSettings({
      definition: {
        newSession: (_, { session }) => {
          void session("s1").mode("code");
          void session("s1").configOptions([verbose]);
          return { sessionId: "s1", modes, configOptions: [model, verbose] };
        },
      },
    });
    await vi.waitFor(() => expect(updates).toHaveLength(2));
    expect(connection.session("s1").modes?.currentModeId).toBe("code");
    expect(connection.session("s1").options).toEqual([verbose]);
  });

  test("is not checked if the session has no modes", async () => {
    const connected = await withSettings({ definition: { newSession: () => ({ sessionId: "s1" }) } });
    await expect(setMode(connected, "anything")).resolves.toEqual({});
    expect(connected.connection.session("s1").modes).toBeUndefined();
  });
});

describe("the config options of a session", () => {
  test("CFG-15 are all in the response, with the value that was set", async () => {
    const connected = await withSettings();
    expect(valuesOf((await setOption(connected, "model", "large")).configOptions)).toEqual({
      model: "large",
      verbose: false,
    });
    expect(valuesOf((await setOption(connected, "verbose", true)).configOptions)).toEqual({
      model: "large",
      verbose: true,
    });
    expect(valuesOf(connected.connection.session("s1").options)).toEqual({ model: "large", verbose: true });
  });

  test("CFG-15 keep the value of another request whose handler ran at the same time", async () => {
    const connected = await withSettings({
      definition: { setSessionConfigOption: () => new Promise<void>((resolve) => setImmediate(resolve)) },
    });
    const [, last] = await Promise.all([setOption(connected, "model", "large"), setOption(connected, "verbose", true)]);
    expect(valuesOf(last.configOptions)).toEqual({ model: "large", verbose: true });
    expect(valuesOf(connected.connection.session("s1").options)).toEqual({ model: "large", verbose: true });
  });

  test("are the agent's if its handler removes the option that the client sets", async () => {
    const connected = await withSettings({
      definition: { setSessionConfigOption: (_, { session }) => void session("s1").configOptions([verbose]) },
    });
    expect((await setOption(connected, "model", "large")).configOptions).toEqual([verbose]);
  });

  test("CFG-16 are the handler's if it returns them: one may depend on another", async () => {
    const connected = await withSettings({
      definition: { setSessionConfigOption: () => ({ configOptions: [{ ...model, currentValue: "large" }] }) },
    });
    await setOption(connected, "verbose", true);
    expect(valuesOf(connected.connection.session("s1").options)).toEqual({ model: "large" });
  });

  test.each([
    ["an option that was never sent", "colour", "red"],
    ["a value that was never sent", "model", "huge"],
    ["a boolean for a list", "model", true],
    ["a value id for a boolean", "verbose", "true"],
  ])("CFG-19 refuse %s: -32602, and nothing changes", async (_, configId, value) => {
    const connected = await withSettings();
    await expect(setOption(connected, configId, value)).rejects.toMatchObject({ code: -32602, data: { configId } });
    expect(valuesOf(connected.connection.session("s1").options)).toEqual({ model: "small", verbose: false });
  });

  test("CFG-17 are those that the agent sends", async () => {
    const { connection } = await withSettings();
    await connection.session("s1").configOptions([verbose]);
    expect(connection.session("s1").options).toEqual([verbose]);
  });

  test("CFG-12 keep a boolean that the client does not support", async () => {
    const connected = await withSettings({ capabilities: {} });
    expect((await setOption(connected, "model", "large")).configOptions.map(({ id }) => id)).toEqual(["model"]);
    expect(valuesOf(connected.connection.session("s1").options)).toEqual({ model: "large", verbose: false });
  });

  test.each(["configOptions", "update"] as const)(
    "CFG-12 keep a boolean that the client does not support when the agent sends them with %s()",
    async (method) => {
      const { connection, updates } = await withSettings({ capabilities: {} });
      const session = connection.session("s1");
      if (method === "configOptions") void session.configOptions([model, verbose]);
      else void session.update({ sessionUpdate: "config_option_update", configOptions: [model, verbose] });
      await vi.waitFor(() => expect(updates).toHaveLength(1));
      expect(updates[0]?.update).toEqual({ sessionUpdate: "config_option_update", configOptions: [model] });
      expect(session.options).toEqual([model, verbose]);
    },
  );
});
