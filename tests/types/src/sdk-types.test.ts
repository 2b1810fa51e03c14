import { describe, expect, it } from "vitest";
import { Declarations, versions } from "./declarations.js";
import { newerThanSdk } from "./newer-than-sdk.js";

// Their v2 types have a brand for what only a receiver sees; ours have types of their own for that. What senders may
// write is compared, so the brand is taken out of (the copy in memory of) theirs.
const branded = "export type UnknownVariant<T> = T & {";
const declarations = new Declarations((path, text) =>
  path.includes("/sdk/")
    ? text.replace(branded, `export type UnknownVariant<T> = never;\ntype Unused<T> = T & {`)
    : text,
);
const { checker } = declarations;

/** Envelopes are JSON-RPC's business, not the schema package's. */
const envelope = /^(Agent|Client|Proxy)(Request|Response|Notification)$/;

/**
 * Where their value is no value of ours: the catch-all of a v1 union takes any tag at all with them, so a misspelled
 * known tag compiles; ours takes only private tags (`_…`). The others contain one of these.
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

  it("have every name of theirs", () => {
    expect(their.size).toBeGreaterThan(170);
    expect([...their.keys()].filter((name) => !our.has(name))).toEqual([]);
  });

  it("are values of theirs", () => {
    const refused = names.filter((name) => !checker.isTypeAssignableTo(pair(name).ours, pair(name).theirs));
    expect(refused).toEqual([]);
  });

  it("take theirs, but for the listed exceptions", () => {
    const refused = names.filter((name) => !checker.isTypeAssignableTo(pair(name).theirs, pair(name).ours));
    expect(refused).toEqual(theirsIsLooser[id]?.filter((name) => !newer.has(name)));
  });

  // Types with optional members only are assignable to each other even where a member is missing.
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

  it("take everything that the sending types can hold", () => {
    const sent = receiving.map(([name, incoming]) => [our.get(name.slice("Incoming".length)), incoming, name] as const);
    const refused = sent.filter(([outgoing, incoming]) => !outgoing || !checker.isTypeAssignableTo(outgoing, incoming));
    expect(refused.map(([, , name]) => name)).toEqual([]);
    expect(receiving.length).toBeGreaterThan(20);
  });

  it("hold more than the sending types, or they would not be needed", () => {
    const same = receiving.filter(([name, incoming]) => {
      const outgoing = our.get(name.slice("Incoming".length));
      return outgoing !== undefined && checker.isTypeAssignableTo(incoming, outgoing);
    });
    expect(same.map(([name]) => name)).toEqual([]);
  });
});
