import { describe, expect, it } from "vitest";
import { type IncomingMcpServer, type IncomingSessionUpdate, isKnownMcpServer, isKnownSessionUpdate } from "./index.js";
import type { IncomingSessionUpdate as IncomingV2 } from "./v2/index.js";
import { type IncomingIdleStateUpdate, isKnownIdleStateUpdate, isKnownSessionUpdate as isKnownV2 } from "./v2/index.js";

/** Generates values of any shape. */
const received = <T>(value: unknown): T => value as T;

describe("a guard", () => {
  it("knows the variants of its version", () => {
    expect(isKnownSessionUpdate({ sessionUpdate: "plan", entries: [] })).toBe(true);
  });

  it("does not know a newer variant", () => {
    expect(isKnownSessionUpdate(received<IncomingSessionUpdate>({ sessionUpdate: "hologram" }))).toBe(false);
  });

  it("does not recognise a private variant, even where the schema allows sending it", () => {
    expect(isKnownV2({ sessionUpdate: "_acme/progress", percent: 10 })).toBe(false);
  });

  it("does not accept the tag of another version as its own", () => {
    expect(isKnownV2(received<IncomingV2>({ sessionUpdate: "current_mode_update" }))).toBe(false);
  });

  it("is not fooled by members that every object inherits", () => {
    for (const tag of ["constructor", "__proto__", "toString"]) {
      expect(isKnownSessionUpdate(received<IncomingSessionUpdate>({ sessionUpdate: tag }))).toBe(false);
    }
  });
});

describe("a guard of a union with a variant that has no tag", () => {
  const server = { name: "files", command: "files-mcp", args: [], env: [] };

  it("recognises it by the absence of the tag", () => {
    expect(isKnownMcpServer(server)).toBe(true);
  });

  it("recognises it by the tag that version 2 gave it, which some peers send already", () => {
    expect(isKnownMcpServer({ ...server, type: "stdio" })).toBe(true);
  });

  it("does not accept another tag for it", () => {
    expect(isKnownMcpServer(received<IncomingMcpServer>({ ...server, type: "pigeon" }))).toBe(false);
  });
});

describe("a guard of a union whose tag is optional", () => {
  it("recognises the absent, the null and the named reason, and no other", () => {
    expect(isKnownIdleStateUpdate({})).toBe(true);
    expect(isKnownIdleStateUpdate({ stopReason: null })).toBe(true);
    expect(isKnownIdleStateUpdate({ stopReason: "end_turn" })).toBe(true);
    expect(isKnownIdleStateUpdate(received<IncomingIdleStateUpdate>({ stopReason: "bored" }))).toBe(false);
  });
});
