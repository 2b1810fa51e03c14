import { expect, it } from "vitest";
import { PendingRequest, PendingRequests } from "./pending-requests.js";

const none = (): PendingRequests => new PendingRequests((hook) => hook());

function add(pending: PendingRequests): PendingRequest {
  const request = new PendingRequest(pending.nextId(), "m", undefined, false, {});
  pending.add(request);
  return request;
}

it("finds a request by its id, in value and type, until it is taken", () => {
  const pending = none();
  const request = add(pending);
  expect(request.id).toBe(1);
  expect(pending.get(1)).toBe(request);
  for (const id of ["1", 1.5, 17, -15, 1 + 2 ** 32, Number.NaN, null, undefined, {}])
    expect(pending.get(id)).toBeUndefined();
  expect(pending.take(request)).toBe(true);
  expect([pending.get(1), pending.take(request), pending.forget(request)]).toEqual([undefined, false, false]);
});

it("holds any number at once", () => {
  const pending = none();
  const requests = Array.from({ length: 5_000 }, () => add(pending));
  expect(new Set(requests.map(({ id }) => id)).size).toBe(5_000);
  for (const request of requests) expect(pending.get(request.id)).toBe(request);
  expect(pending.filter(({ id }) => id % 2 === 0)).toEqual(requests.filter(({ id }) => id % 2 === 0));
});

it("keeps a long-pending request while thousands come and go, and does not grow", () => {
  const pending = none();
  const patient = [add(pending), add(pending)];
  let last = 0;
  for (let count = 0; count < 10_000; count += 1) {
    const request = add(pending);
    expect(request.id).toBeGreaterThan(last);
    last = request.id;
    expect(pending.take(request)).toBe(true);
    expect(pending.get(request.id)).toBeUndefined();
  }
  expect(last).toBeLessThan(13_000); // few ids were skipped
  expect(pending.filter(() => true)).toEqual(patient);
  expect(pending.some((request) => request === patient[1])).toBe(true);
});

it("recognises an id that was used once, and none that will be", () => {
  const pending = none();
  const request = add(pending);
  pending.take(request);
  expect([1, 2, 0, -1, 1.5, "1", null].map((id) => pending.wasIssued(id))).toEqual([
    true,
    ...[false, false, false, false, false, false],
  ]);
});

it("lists the oldest first, whatever their slot", () => {
  const pending = none();
  const requests = Array.from({ length: 30 }, () => add(pending));
  for (const request of requests.slice(0, 20)) pending.take(request);
  const left = [...requests.slice(20), add(pending), add(pending)];
  expect(pending.filter(() => true)).toEqual(left);
});

it("calls onSettled first, then lets the caller settle", async () => {
  const calls: string[] = [];
  const pending = none();
  const request = new PendingRequest(pending.nextId(), "m", "lane", false, { onSettled: () => calls.push("settled") });
  pending.add(request);
  request.release = () => calls.push("released");
  pending.take(request);
  expect(calls).toEqual(["released", "settled"]);
  request.resolve(5);
  expect(await request.promise).toBe(5);
});
