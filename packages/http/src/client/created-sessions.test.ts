import { expect, it } from "vitest";
import { CreatedSessions } from "./created-sessions.js";

/** Created sessions, and a list of their deliveries. */
function start(maxLength = 100) {
  const delivered: string[] = [];
  const created = new CreatedSessions(maxLength);
  const deliver = (what: string) => () => void delivered.push(what);
  return { created, delivered, deliver };
}

it("a created session: delivers the response first, then the events that arrived before the mark", () => {
  const { created, delivered, deliver } = start();
  created.created("s", deliver("response"));
  created.event("s", 10, deliver("update"));
  created.event("other", 10, deliver("another session"));
  expect(delivered).toEqual(["another session"]);
  created.settle("s");
  expect(delivered).toEqual(["another session", "response", "update"]);
  created.stop();
});

it("a created session: delivers both responses of a server that sends the same session id twice", () => {
  const { created, delivered, deliver } = start();
  created.created("s", deliver("first"));
  created.event("s", 10, deliver("update"));
  created.created("s", deliver("second"));
  expect(delivered).toEqual(["first", "update"]);
  created.settle("s");
  expect(delivered).toEqual(["first", "update", "second"]);
});

it("a created session: delivers the events without the mark when they exceed the limit", () => {
  const { created, delivered, deliver } = start(15);
  created.created("s", deliver("response"));
  created.event("s", 10, deliver("1"));
  created.event("s", 10, deliver("2"));
  expect(delivered).toEqual(["response", "1", "2"]);
});
