import { describe, expect, it } from "vitest";
import { loadCases } from "../test/case.js";
import { buildIr } from "./build-ir.js";
import { checkGates } from "./check-gates.js";
import { DecisionsError } from "./decisions.js";
import type { Gates } from "./gates.js";
import { loadSchema, schemaDirectory, schemaPaths } from "./load.js";
import { gatesOf } from "./understand.js";

const one = loadCases().find(({ name }) => name === "methods");
if (one?.gates === undefined) throw new Error("the case about methods is gone");
const { ir } = one;
const right: Gates = one.gates;

it.each(schemaPaths)("the completed gate table matches schema/%s", (path) => {
  const schema = buildIr(loadSchema(`${schemaDirectory}${path}`));
  // `gatesOf` completes the table: a schema update may have added a method without an entry in the table.
  expect(() => checkGates(schema, gatesOf(schema))).not.toThrow();
});

describe("an outdated gate table stops the generation", () => {
  const { agent = {} } = right.methods;
  const { "session/list": _, ...withoutList } = agent;

  it.each<[string, Partial<Gates>, string]>([
    [
      "when it has no entry for a method",
      { methods: { ...right.methods, agent: withoutList } },
      'case: no entry for the method "session/list", handled by side "agent"',
    ],
    [
      "when it has an entry for a removed method",
      { methods: { ...right.methods, agent: { ...agent, "session/load": "baseline" } } },
      'case: there is no method "session/load" handled by side "agent"',
    ],
    [
      "when a capability of an entry was removed",
      { methods: { ...right.methods, agent: { ...agent, "session/list": { capability: ["agent.listing"] } } } },
      'case: "session/list" needs the capability "agent.listing", which the schema does not have',
    ],
    [
      "when a capability of an entry only contains other capabilities",
      { methods: { ...right.methods, agent: { ...agent, "session/list": { capability: ["agent.session"] } } } },
      'case: "session/list" needs "agent.session", which only contains other capabilities',
    ],
    [
      "when a definition of an entry was removed",
      { payloads: [{ at: "LoadSessionRequest.prompt", capability: "agent.load" }] },
      'case: there is no definition "LoadSessionRequest"',
    ],
    [
      "when a member of an entry was removed",
      { payloads: [{ at: "NewSessionRequest.images", capability: "agent.load" }] },
      'case: "NewSessionRequest" has no member "images"',
    ],
    [
      "when a variant of an entry was removed",
      { payloads: [{ at: "NewSessionRequest.prompt", variant: "image", capability: "agent.load" }] },
      'case: "NewSessionRequest.prompt" has no variant "image"',
    ],
    [
      "when a capability in `switches` was removed",
      { switches: ["agent.power"] },
      'case: there is no capability "agent.power"',
    ],
    [
      "when a definition in `patches` was removed",
      { patches: { Patch: "all" } },
      'case: there is no object "Patch" to patch',
    ],
    [
      "when a member in `patches` is not optional and nullable",
      { patches: { UpdateNotification: ["update"] } },
      "case: UpdateNotification.update is not an optional nullable member",
    ],
  ])("%s", (_, change, expected) => {
    expect(() => checkGates(ir, { ...right, ...change })).toThrow(`tools/codegen/src/gates.ts: ${expected}`);
  });

  it("with an error that lists every outdated entry", () => {
    const change = { methods: { ...right.methods, agent: withoutList }, switches: ["agent.power"] };
    expect(() => checkGates(ir, { ...right, ...change })).toThrow(
      new DecisionsError([
        {
          file: "tools/codegen/src/gates.ts",
          what: 'case: no entry for the method "session/list", handled by side "agent"',
        },
        {
          file: "tools/codegen/src/gates.ts",
          what: 'case: there is no capability "agent.power"',
          entry: ["case", "switches", "agent.power"],
        },
      ]),
    );
  });
});
