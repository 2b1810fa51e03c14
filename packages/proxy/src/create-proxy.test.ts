import { isInvalidOptionError } from "@acp-kit/jsonrpc";
import { createProxy } from "@acp-kit/proxy";
import { expect, test } from "vitest";
import { info } from "../test/raw-peer.js";

const pass = (_: unknown, next: () => unknown): unknown => next();

test.each([
  ["info", {}, "is missing"],
  ["info.name", { info: { version: "1" } }, "is missing"],
  ["fromClients", { info, fromClients: {} }, 'did you mean "fromClient"'],
  ["fromClient.session/update", { info, fromClient: { "session/update": pass } }, 'move it to "fromAgent"'],
  ["fromAgent.session/prompt", { info, fromAgent: { "session/prompt": pass } }, 'move it to "fromClient"'],
  ["fromClient.session/promt", { info, fromClient: { "session/promt": pass } }, 'did you mean "session/prompt"'],
  ["fromClient.session/new", { info, fromClient: { "session/new": 1 } }, "must be a function"],
  [
    "fromAgent.session/update.chunk",
    { info, fromAgent: { "session/update": { chunk: pass } } },
    "not a kind of update",
  ],
  [
    "fromAgent.session/update",
    { info, fromAgent: { "session/update": { order: "free", intercept: pass } } },
    "must be a function or, for requests",
  ],
  ["maxHeldBytes", { info, maxHeldBytes: 0 }, "greater than 0"],
  ["fromAgent", { info, fromAgent: 1 }, "must be an object"],
])("a mistake in %s is an InvalidOptionError", (option, definition, problem) => {
  const attempt = (): unknown => createProxy(definition as never);
  expect(attempt).toThrow(problem);
  expect(attempt).toThrow(expect.objectContaining({ option }));
  const opening = createProxy(() => definition as never);
  try {
    opening.open();
  } catch (error) {
    expect(isInvalidOptionError(error)).toBe(true);
  }
});
