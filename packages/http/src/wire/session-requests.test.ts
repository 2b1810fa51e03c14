import { expect, it } from "vitest";
import { SessionRequests } from "./session-requests.js";

it("a session's requests are kept until their responses, even if an agent uses an id twice", () => {
  const requests = new SessionRequests();
  requests.add(1, "a");
  requests.add(1, null);
  requests.add(1, "a");
  requests.add("1", "b");
  expect([requests.get(1), requests.get("1"), requests.get(2)]).toEqual([["a", null, "a"], ["b"], []]);
  requests.settle(1, "a");
  requests.settle(1, "elsewhere");
  expect(requests.get(1)).toEqual([null, "a"]);
  requests.settle(1, null);
  requests.settle(1, "a");
  expect(requests.get(1)).toEqual([]);
});

it("a session's requests don't include a request with an invalid id", () => {
  const requests = new SessionRequests();
  requests.add({}, "a");
  requests.add(null, "a");
  expect(requests.get(null)).toEqual([]);
});
