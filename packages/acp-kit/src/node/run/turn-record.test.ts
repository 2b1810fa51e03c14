import type { IncomingSessionUpdate } from "@acp-kit/types";
import { expect, it } from "vitest";
import { jsonText } from "../json-text.js";
import { TurnRecord } from "./turn-record.js";

it("counts updates of any kind, also of kinds with the names of members of each object", () => {
  const record = new TurnRecord();
  for (const sessionUpdate of ["constructor", "toString", "__proto__", "plan", "constructor"])
    record.add({ sessionUpdate } as IncomingSessionUpdate);
  expect(jsonText(record.updates)).toBe('{"constructor":2,"toString":1,"__proto__":1,"plan":1}');
});
