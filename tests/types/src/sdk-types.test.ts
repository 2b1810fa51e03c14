import { describe, expect, it } from "vitest";
import { Declarations, versions } from "./declarations.js";
import { newerThanSdk } from "./newer-than-sdk.js";

// The SDK's v2 types mark values that only receivers get with a brand; we have separate types for them. The test
// compares the types of senders, so it removes the brand from its copy of the SDK's types in memory.
const branded = "export type UnknownVariant<T> = T & {";
const declarations = new Declarations((path, text) =>
  path.includes("/sdk/")
    ? text.replace(branded, `export type UnknownVariant<T> = never;\ntype Unused<T> = T & {`)
    : text,
);
const { checker } = declarations;

/** Envelopes belong to JSON-RPC, not to the schema package. */
const envelope = /^(Agent|Client|Proxy)(Request|Response|Notification)$/;

/**
 * Types whose SDK values are not ours: in the SDK, the catch-all of a v1 union accepts every tag, so a misspelled known
 * tag compiles. Ours accepts only private tags (`_…`). The other types contain one of these.
 */
const theirsIsLooser: Readonly<Record<string, readonly string[]>> = {
  v1: [
    "CreateElicitationRequest",
    "CreateElicitationResponse",
    "ElicitationFormMode", // requestedSchema
    "ElicitationPropertySchema",
    "ElicitationSchema", // properties
    "MultiSelectItems",
    "MultiSelectPropertySchema", // items
  ],
  "v1-unstable": [
    "CreateElicitationRequest",
    "CreateElicitationResponse",
    "ElicitationFormMode", // requestedSchema
    "ElicitationPropertySchema",
    "ElicitationSchema", // properties
    "IdleStateUpdate",
    "MultiSelectItems",
    "MultiSelectPropertySchema", // items
    "SessionNotification", // update
    "SessionUpdate", // subagent_update
    "StateUpdate",
    "SubagentUpdate", // state
  ],
  v2: [],
  "v2-unstable": [],
};

it("both compile, without skipping declaration files", { timeout: 120_000 }, () => {
  expect(declarations.errors()).toEqual([]);
});

describe.each(versions)("our types of $id beside the official SDK's", ({ id, ours, theirs }) => {
  const our = declarations.exports(ours);
  const their = new Map([...declarations.exports(theirs)].filter(([name]) => !envelope.test(name)));
  const { definitions: newer } = newerThanSdk(id);
  const names = [...their.keys()].filter((name) => !newer.has(name)).sort();
  const pair = (name: string) => {
    const [a, b] = [our.get(name), their.get(name)];
    if (a === undefined || b === undefined) throw new Error(`${name} is missing on one side`);
    return { ours: a, theirs: b };
  };

  it("have every name of the SDK's types", () => {
    expect(their.size).toBeGreaterThan(170);
    expect([...their.keys()].filter((name) => !our.has(name))).toEqual([]);
  });

  it("are assignable to the SDK's types", () => {
    const refused = names.filter((name) => !checker.isTypeAssignableTo(pair(name).ours, pair(name).theirs));
    expect(refused).toEqual([]);
  });

  it("accept the SDK's types, with the listed exceptions", () => {
    const refused = names.filter((name) => !checker.isTypeAssignableTo(pair(name).theirs, pair(name).ours));
    expect(refused).toEqual(theirsIsLooser[id]?.filter((name) => !newer.has(name)));
  });

  // Types with only optional members are assignable to each other, even if a member is missing.
  it("have the same members", () => {
    const different = names.filter((name) => {
      const { ours: a, theirs: b } = pair(name);
      return declarations.members(a).join() !== declarations.members(b).join();
    });
    expect(different).toEqual([]);
  });
});

describe.each(versions)("the receiving types of $id", ({ ours }) => {
  const our = declarations.exports(ours);
  const receiving = [...our].filter(([name]) => name.startsWith("Incoming"));

  it("accept every value of the sending types", () => {
    const sent = receiving.map(([name, incoming]) => [our.get(name.slice("Incoming".length)), incoming, name] as const);
    const refused = sent.filter(([outgoing, incoming]) => !outgoing || !checker.isTypeAssignableTo(outgoing, incoming));
    expect(refused.map(([, , name]) => name)).toEqual([]);
    expect(receiving.length).toBeGreaterThan(20);
  });

  it("accept more than the sending types", () => {
    const same = receiving.filter(([name, incoming]) => {
      const outgoing = our.get(name.slice("Incoming".length));
      return outgoing !== undefined && checker.isTypeAssignableTo(incoming, outgoing);
    });
    expect(same.map(([name]) => name)).toEqual([]);
  });
});
