import { describe, expect, it } from "vitest";
import { IncomingRequest } from "./incoming-request.js";
import type { RequestId } from "./message.js";
import { OpenRequests } from "./open-requests.js";

/** Open requests with the ids `ids`, and the number of times that the id of one was read. */
function openWith(ids: readonly RequestId[]) {
  let reads = 0;
  const open = new OpenRequests(() => {});
  const requests = ids.map((id) => {
    const request = new IncomingRequest(id, "m", undefined);
    Object.defineProperty(request, "id", {
      get: () => {
        reads += 1;
        return id;
      },
    });
    open.add(request);
    return request;
  });
  return { open, requests, reads: () => reads };
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("the open requests", () => {
  it("are searched in constant time, however many cancels of no request arrive", () => {
    const { open, reads } = openWith(range(1_000));
    for (const _ of range(1_000)) expect([...open.takeCancelled("none")]).toEqual([]);
    expect(reads()).toBeLessThan(3_000);
  });

  it("with the same id are found once, however often they are cancelled", () => {
    const { open, requests } = openWith([null, 5, null, "5"]);
    const [first, , third] = requests;
    expect([...open.takeCancelled(null)]).toEqual([first, third]);
    expect([...open.takeCancelled(null)]).toEqual([]);
    const later = new IncomingRequest(null, "m", undefined);
    open.add(later);
    expect([...open.takeCancelled(null)]).toEqual([later]);
    expect(open.size).toBe(5);
  });

  it("are no longer found when they have a response, and are found if the id is used again", () => {
    const { open, requests } = openWith([1, 2, 2]);
    expect([...open.takeCancelled(3)]).toEqual([]);
    const [first, second, third] = requests as [IncomingRequest, IncomingRequest, IncomingRequest];
    open.remove(first);
    open.remove(second);
    expect([...open.takeCancelled(1)]).toEqual([]);
    expect([...open.takeCancelled(2)]).toEqual([third]);
    open.remove(third);
    const again = new IncomingRequest(1, "m", undefined);
    open.add(again);
    expect([...open.takeCancelled(1)]).toEqual([again]);
  });
});
