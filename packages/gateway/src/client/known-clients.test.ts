import { expect, it } from "vitest";
import type { GatewayClock } from "../clock.js";
import type { GatewayPrincipal } from "../principal.js";
import { type CurrentConnection, type KnownClient, KnownClients } from "./known-clients.js";

const ann = { tenant: "", user: "ann" };
const bob = { tenant: "", user: "bob" };
const watcher: GatewayPrincipal = { ...ann, access: "observe" };

/** The clients of a gateway, on a clock that the test sets. */
function start(maxAway: number) {
  const clock = { ms: 0, now: () => clock.ms };
  const clients = new KnownClients(clock as unknown as GatewayClock, 1_000, maxAway);
  const replaced: CurrentConnection[] = [];
  const arrive = (principal: GatewayPrincipal, id: string) => {
    const connection = { replaced: () => void replaced.push(connection) };
    return { client: clients.arrive(principal, id, connection), connection };
  };
  const breaks = (principal: GatewayPrincipal, id: string): KnownClient => {
    const { client, connection } = arrive(principal, id);
    clients.broke(principal, client, connection);
    return client;
  };
  return { clock, clients, replaced, arrive, breaks };
}

it("a client whose connection broke is known until the grace time is over", () => {
  const { clock, clients, arrive, breaks } = start(2);
  const client = breaks(ann, "1");
  clock.ms = 999;
  clients.expire();
  expect(breaks(ann, "1")).toBe(client);
  clock.ms = 1_999;
  clients.expire();
  expect(arrive(ann, "1").client).not.toBe(client);
});

it("a client that has reconnected stays known", () => {
  const { clock, clients, arrive, breaks } = start(2);
  const client = breaks(ann, "1");
  arrive(ann, "1");
  clock.ms = 5_000;
  clients.expire();
  expect(breaks(ann, "1")).toBe(client);
});

it("if too many connections of a principal are broken, the client whose connection broke first is forgotten", () => {
  const { arrive, breaks } = start(2);
  const [first, second] = ["1", "2"].map((id) => breaks(ann, id));
  const ofBob = breaks(bob, "1");
  breaks(ann, "3");
  expect(arrive(ann, "2").client).toBe(second);
  expect(arrive(ann, "1").client).not.toBe(first);
  expect(arrive(bob, "1").client).toBe(ofBob);
});

it("a new connection replaces the previous one, whose end has no further effect", () => {
  const { clients, replaced, arrive } = start(2);
  const { client, connection } = arrive(ann, "1");
  const later = arrive(ann, "1");
  expect(later.client).toBe(client);
  expect(replaced).toEqual([connection]);
  clients.broke(ann, client, connection);
  clients.left(ann, client, connection);
  expect(client.connection).toBe(later.connection);
  clients.left(ann, client, later.connection);
  expect(arrive(ann, "1").client).not.toBe(client);
});

it("an observer is another client than one of its user with the same id, and displaces none", () => {
  const { arrive, breaks, replaced } = start(2);
  const [first] = ["1", "2"].map((id) => breaks(ann, id));
  const observer = breaks(watcher, "1");
  breaks(watcher, "2"); // an observer has half of the places
  expect(arrive(watcher, "1").client).not.toBe(observer);
  expect(arrive(ann, "1").client).toBe(first);
  expect(replaced).toEqual([]);
});
