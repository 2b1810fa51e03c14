import { expect, it } from "vitest";
import type { GatewayClock } from "../clock.js";
import type { Replica } from "../cluster/replica.js";
import { KnownClients } from "./known-clients.js";

const ann = { tenant: "", user: "ann" };
const bob = { tenant: "", user: "bob" };

/** The clients of a gateway, with a fake replica that records `mention`. */
function start(maxAway: number) {
  const left: string[] = [];
  const timers = new Set<() => void>();
  const replica = {
    mention: (_key: unknown, { is, client }: { is: string; client: string }) => {
      if (is === "leave") left.push(client);
    },
  };
  const after = (_ms: number, listener: () => void): (() => void) => {
    timers.add(listener);
    return () => void timers.delete(listener);
  };
  const clock = { after } as unknown as GatewayClock;
  const clients = new KnownClients(replica as unknown as Replica, clock, 1_000, maxAway);
  const breaks = (scope: typeof ann, id: string): void => {
    const connection = { replaced: () => {} };
    const client = clients.arrive(scope, id, connection);
    const key = { scope, sessionId: "s" };
    clients.away(scope, client, connection, [
      { key, abilities: { isInteractive: true, serves: new Set<string>() } as never },
    ]);
  };
  return { clients, left, timers, breaks };
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
  clients.arrive(ann, "1", { replaced: () => {} });
  breaks(ann, "3");
  expect(left).toEqual([]);
});

it("a disconnected client leaves after the grace time", () => {
  const { left, timers, breaks } = start(2);
  breaks(ann, "1");
  for (const listener of [...timers]) listener();
  expect(left).toEqual(["1"]);
});
