import { expect, it } from "vitest";
import type { GatewayClock } from "../clock.js";
import type { Replica } from "../cluster/replica.js";
import { type GatewayPrincipal, scopeOf } from "../principal.js";
import { KnownClients } from "./known-clients.js";

const ann = { tenant: "", user: "ann" };
const bob = { tenant: "", user: "bob" };

/** The clients of a gateway, with a fake replica that records `mention`. */
function start(maxAway: number) {
  const left: string[] = [];
  const attached: string[] = [];
  const timers = new Set<() => void>();
  const replica = {
    mention: (_key: unknown, { is, client }: { is: string; client: string }) => {
      (is === "leave" ? left : attached).push(client);
    },
  };
  const after = (_ms: number, listener: () => void): (() => void) => {
    timers.add(listener);
    return () => void timers.delete(listener);
  };
  const clock = { after } as unknown as GatewayClock;
  const clients = new KnownClients(replica as unknown as Replica, clock, 1_000, maxAway);
  const session = { connection: "1", abilities: { isInteractive: true, serves: new Set<string>() } as never };
  const breaks = (principal: GatewayPrincipal, id: string): void => {
    const connection = { replaced: () => [] };
    const client = clients.arrive(principal, id, connection);
    const key = { scope: scopeOf(principal), sessionId: "s" };
    clients.away(principal, client, connection, [{ key, ...session }]);
  };
  return { clients, left, attached, timers, breaks, session };
}

it("if too many clients of a principal are disconnected, the one that disconnected first leaves", () => {
  const { left, timers, breaks } = start(2);
  for (const id of ["1", "2"]) breaks(ann, id);
  breaks(bob, "of bob");
  expect(left).toEqual([]);
  breaks(ann, "3");
  expect(left).toEqual(["1"]);
  expect(timers.size).toBe(3); // the timer of the client that left is cleared
});

it("a client that has reconnected does not count as disconnected", () => {
  const { clients, left, breaks } = start(2);
  for (const id of ["1", "2"]) breaks(ann, id);
  clients.arrive(ann, "1", { replaced: () => [] });
  breaks(ann, "3");
  expect(left).toEqual([]);
});

it("a disconnected client leaves after the grace time", () => {
  const { left, timers, breaks } = start(2);
  breaks(ann, "1");
  for (const listener of [...timers]) listener();
  expect(left).toEqual(["1"]);
});

it("a client that has reconnected stays attached to the sessions that it has not opened again, for the grace time", () => {
  const { clients, left, attached, timers, breaks } = start(2);
  breaks(ann, "1");
  clients.arrive(ann, "1", { replaced: () => [] });
  clients.tend();
  expect(attached).toEqual(["1"]);
  for (const listener of [...timers]) listener();
  expect(left).toEqual(["1"]);
  clients.tend();
  expect(attached).toEqual(["1"]);
});

it("a client stays attached if its connection breaks again before it has opened its sessions again", () => {
  const { clients, left, attached, breaks } = start(2);
  breaks(ann, "1");
  const connection = { replaced: () => [] };
  clients.away(ann, clients.arrive(ann, "1", connection), connection, []);
  clients.tend();
  expect([attached, left]).toEqual([["1"], []]);
});

it("a client stays attached if another connection replaces its connection", () => {
  const { clients, left, attached, session } = start(2);
  const key = { scope: ann, sessionId: "s" };
  clients.arrive(ann, "1", { replaced: () => [{ key, ...session }] });
  const client = clients.arrive(ann, "1", { replaced: () => [] });
  clients.tend();
  expect(attached).toEqual(["1"]);
  clients.settled(client, key);
  clients.tend();
  expect([attached, left]).toEqual([["1"], []]);
});

it("an observer is another client than one of its user with the same id, and displaces none", () => {
  const { clients, left, breaks } = start(2);
  const watcher: GatewayPrincipal = { ...ann, access: "observe" };
  for (const id of ["1", "2"]) breaks(ann, id);
  for (const id of ["3", "4"]) breaks(watcher, id); // an observer has half of the places
  expect(left).toEqual(["3"]);
  const connection = { replaced: () => [] };
  expect(clients.arrive(watcher, "1", connection).unopened.size).toBe(0);
  expect(clients.arrive(ann, "1", connection).unopened.size).toBe(1);
});
