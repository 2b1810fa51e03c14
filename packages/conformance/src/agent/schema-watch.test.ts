import { expect, test } from "vitest";
import { DialogueLog } from "../dialogue.js";
import { agentWatches } from "./agent-checks.js";

const watches = agentWatches.filter(({ id }) => id.startsWith("watch/schema/"));

/** Returns the rules that an agent breaks with one message. */
function brokenBy(message: object): string[] {
  const log = new DialogueLog("connection 1");
  log.message("agent", { jsonrpc: "2.0", ...message });
  return watches.flatMap((watch) => watch.watch(log).findings.map(({ requirement }) => requirement));
}

test.each([{}, { requestId: {} }, { requestId: 1.5 }, { requestId: true }])(
  "$/cancel_request with %j breaks CANCEL-21",
  (params) => {
    expect(brokenBy({ method: "$/cancel_request", params })).toEqual(["CANCEL-21"]);
  },
);

test.each([{}, { elicitationId: 5 }, { elicitationId: null }])(
  "elicitation/complete with %j breaks ELICIT-33",
  (params) => {
    expect(brokenBy({ method: "elicitation/complete", params })).toEqual(["ELICIT-33"]);
  },
);

test.each([{ requestId: null }, { requestId: 1 }, { requestId: "1" }])(
  "$/cancel_request with %j breaks no rule",
  (params) => {
    expect(brokenBy({ method: "$/cancel_request", params })).toEqual([]);
  },
);

test.each(["constructor", "toString", "__proto__", "later"])(
  "an update of the unknown kind %s breaks UPD-02",
  (sessionUpdate) => {
    expect(brokenBy({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate } } })).toEqual([
      "UPD-02",
    ]);
  },
);
