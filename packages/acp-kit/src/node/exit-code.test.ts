import { ConnectionError, RpcError } from "@acp-kit/client";
import { ProcessError } from "@acp-kit/stdio/node";
import { expect, it } from "vitest";
import { usageFailure } from "./command-failure.js";
import { ExitCode } from "./exit-code.js";
import { exitCodeOf, exitCodeOfTurn } from "./exit-code-of.js";

it("has stable values", () => {
  expect(ExitCode).toEqual({
    ok: 0,
    error: 1,
    usage: 2,
    agentFailed: 3,
    refused: 4,
    timeout: 5,
    authRequired: 6,
    cancelled: 130,
  });
});

const died = new ProcessError("exited", "The agent exited", { command: "agent" });

it.each<[string, unknown, ExitCode]>([
  ["an error of the agent", new RpcError(-32603, "Internal error"), ExitCode.error],
  ["a login that is needed", new RpcError(-32000, "Authentication required"), ExitCode.authRequired],
  ["an agent that died", died, ExitCode.agentFailed],
  [
    "an agent that died under a request",
    new ConnectionError("transport_failed", "…", { cause: died }),
    ExitCode.agentFailed,
  ],
  ["an agent that closed its output", new ConnectionError("peer_closed", "…"), ExitCode.agentFailed],
  ["a deadline that passed", new ConnectionError("timeout", "…"), ExitCode.timeout],
  ["a wrong word", usageFailure("…"), ExitCode.usage],
  ["a bug", new TypeError("…"), ExitCode.error],
  ["something thrown", "…", ExitCode.error],
])("%s", (_what, error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});

it.each([
  ["end_turn", 0],
  ["refusal", 4],
  ["max_tokens", 4],
  ["max_turn_requests", 4],
  ["cancelled", 130],
  ["_something_new", 1],
])("a turn that ends with %s", (stopReason, code) => {
  expect(exitCodeOfTurn(stopReason)).toBe(code);
});
