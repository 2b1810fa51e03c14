import { agentScript } from "@acp-kit/testing";
import { expect, it, vi } from "vitest";
import { createAgentStore } from "./agent-store.js";

it("closes while the agent is still being opened, and closes the transport that arrives later", async () => {
  const agent = agentScript().inMemory();
  const closeTransport = vi.spyOn(agent.transport, "close");
  let arrive = (): void => {};
  const opening = new Promise<typeof agent.transport>((resolve) => {
    arrive = () => resolve(agent.transport);
  });
  const store = createAgentStore(() => opening);
  const connecting = store.connect();
  const failure = connecting.catch((error: unknown) => error);
  await store.close();
  expect(await failure).toMatchObject({ message: expect.stringContaining("close() was called before") });
  expect(store.state.snapshot.status).toBe("idle");
  arrive();
  await vi.waitFor(() => expect(closeTransport).toHaveBeenCalled());
  expect(agent.receivedSoFar("initialize")).toEqual([]);
  await agent.close();
});

it("closes while the agent does not respond to initialize, and connects again afterwards", async () => {
  const silent = agentScript()
    .on("initialize", () => new Promise<never>(() => {}))
    .inMemory();
  const willing = agentScript().inMemory();
  const agents = [silent, willing];
  const store = createAgentStore(() => (agents.shift() ?? willing).transport);
  const connecting = store.connect();
  const failure = connecting.catch((error: unknown) => error);
  await silent.received("initialize");
  await store.close();
  expect(await failure).toMatchObject({ message: expect.stringContaining("close() was called before") });
  expect((await store.connect()).info?.name).toBe("script");
  expect(store.state.snapshot.status).toBe("ready");
  await store.close();
  await Promise.all([silent.close(), willing.close()]);
});

it("the application's signal ends an attempt whose agent is never opened", async () => {
  const stop = new AbortController();
  const store = createAgentStore(() => new Promise(() => {}), { signal: stop.signal });
  const connecting = store.connect();
  stop.abort(new Error("the user left"));
  await expect(connecting).rejects.toThrow("the user left");
  expect(store.state.snapshot).toMatchObject({ status: "failed", error: new Error("the user left") });
});
