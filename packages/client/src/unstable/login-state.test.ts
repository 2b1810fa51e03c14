import { expect, test, vi } from "vitest";
import { type AgentPeer, scripted } from "../../test/scripted-agent.js";
import { loginState } from "./login-state.js";

const push = (peer: AgentPeer, method: string, params: unknown): void =>
  void peer.connection.notify(method, params as object);

test("the state that the agent pushes is the snapshot, in both forms", async () => {
  const login = loginState();
  const { peer, diagnostics } = await scripted({ unstable: [login] });
  expect(login.snapshot).toBeUndefined();
  const changed = vi.fn();
  login.subscribe(changed);
  const account = { email: "a@example.com", organization: "Example", plan: "max" };
  push(peer(), "_auth/status_update", { authStatus: { kind: "account", label: "Claude Max", account } });
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
  expect(login.snapshot).toEqual({
    state: "authenticated",
    accounts: [{ label: "Claude Max", active: true, email: "a@example.com", organization: "Example" }],
  });
  push(peer(), "_auth/status_update", { authStatus: { kind: "none", label: "Not logged in" } });
  await vi.waitFor(() => expect(login.snapshot).toEqual({ state: "unauthenticated", accounts: [] }));
  const accounts = [{ label: "A", name: null, active: false }, { noLabel: true }, 7];
  push(peer(), "auth/status_update", { state: "_odd", accounts });
  await vi.waitFor(() => expect(login.snapshot).toEqual({ state: "_odd", accounts: [{ label: "A", active: false }] }));
  expect(diagnostics).toEqual([]);
});

test("what is no state changes nothing, and lists and texts are bounded", async () => {
  const login = loginState();
  const { peer } = await scripted({ unstable: [login] });
  for (const params of [{}, { state: 1 }, { authStatus: { kind: 2 } }, { authStatus: null }]) {
    push(peer(), "auth/status_update", params);
    push(peer(), "_auth/status_update", params);
  }
  const accounts = Array.from({ length: 1_000 }, () => ({ label: "x".repeat(10_000) }));
  push(peer(), "auth/status_update", { state: "authenticated", accounts });
  await vi.waitFor(() => expect(login.snapshot?.state).toBe("authenticated"));
  expect(login.snapshot?.accounts).toHaveLength(100);
  expect(login.snapshot?.accounts[0]?.label).toHaveLength(1_000);
});

test("refresh requests the state only from an agent that advertised it", async () => {
  const login = loginState();
  const without = await scripted({ unstable: [login] });
  await expect(login.refresh()).resolves.toBeUndefined();
  expect(without.methods()).toEqual(["initialize"]);

  const watched = loginState();
  const { methods } = await scripted({
    unstable: [watched],
    answer: { agentCapabilities: { auth: { status: {} } as object } },
    agent: (peer) => peer.handle("auth/status" as never, (() => ({ state: "not_required" })) as never),
  });
  await expect(watched.refresh()).resolves.toEqual({ state: "not_required", accounts: [] });
  expect(methods()).toEqual(["initialize", "auth/status"]);
});
