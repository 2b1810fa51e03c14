import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance, nearestName } from "./nearest-name.js";

describe("editDistance", () => {
  it.each([
    ["listn", "listen", 1],
    ["permision", "permissions", 2],
    ["pormpt", "prompt", 1], // two letters swapped
    ["PROMPT", "prompt", 0],
    ["", "abc", 3],
  ])("of %j and %j is %d", (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
    expect(editDistance(other, one)).toBe(distance);
  });

  it("is at most the length of the longer text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.string({ maxLength: 80 }), (one, other) => {
        expect(editDistance(one, other)).toBeLessThanOrEqual(Math.max(one.length, other.length));
      }),
    );
  });
});

describe("nearestName", () => {
  it("returns the name with the fewest different letters, at most two", () => {
    expect(nearestName("loadSesion", ["newSession", "loadSession", "loadSessions"])).toBe("loadSession");
    expect(nearestName("promptly", ["prompt"])).toBe("prompt");
    expect(nearestName("prompting", ["prompt"])).toBeUndefined();
  });

  it("suggests nothing for a name that shares no letter with the known ones", () => {
    expect(nearestName("x", ["a", "on"])).toBeUndefined();
    expect(nearestName("", ["a"])).toBeUndefined();
  });
});
