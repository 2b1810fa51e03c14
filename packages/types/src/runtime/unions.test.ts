import { beforeEach, describe, expect, it } from "vitest";
import { type Check, failAt, type Members, type Run, replace } from "./run.js";
import { firstOf, onlyOneOf, orUntagged, untaggedOr } from "./unions.js";

let run: Run;
beforeEach(() => {
  run = { n: 0, changes: [], fault: undefined };
});

/** An alternative that repairs its `note` before it looks for its required member. */
const wanting =
  (member: string): Check =>
  (value, run) => {
    const holder = value as Members;
    if (typeof holder.note !== "string") replace(run, holder, "note", "a string");
    return typeof holder[member] === "string" || failAt(run, holder, member, "a string");
  };
/** An alternative that accepts any `note`. */
const careless: Check = (value) => "c" in (value as Members);

const reports = () => run.changes.map(({ path, message }) => [path, message]);

describe("firstOf", () => {
  it("undoes the changes of alternatives before the first match", () => {
    const value = { c: 1, note: 5 };
    expect(firstOf(value, run, [wanting("a"), wanting("b"), careless])).toBe(true);
    expect(value).toEqual({ c: 1, note: 5 });
    expect(run).toEqual({ n: 0, changes: [], fault: undefined });
  });

  it("keeps the changes of the match", () => {
    const value = { b: "x", note: 5 };
    expect(firstOf(value, run, [wanting("a"), wanting("b")])).toBe(true);
    expect(value).toEqual({ b: "x" });
    expect(reports()).toEqual([[["note"], "left out: must be a string (got number)"]]);
  });

  it("undoes everything when none matches, and reports the closest one", () => {
    const value = { b: 5, note: 5 };
    expect(firstOf(value, run, [wanting("a"), wanting("b")])).toBe(false);
    expect(value).toEqual({ b: 5, note: 5 });
    expect(run).toMatchObject({ n: 0, fault: { path: ["b"], message: "must be a string (got number)" } });
  });
});

describe("onlyOneOf", () => {
  it("keeps the changes of the only match, and none of the others", () => {
    const value = { a: "x", note: 5 };
    expect(onlyOneOf(value, run, [wanting("a"), wanting("b")])).toBe(true);
    expect(value).toEqual({ a: "x" });
    expect(reports()).toHaveLength(1);
  });

  it("refuses a value that matches two, and leaves it unchanged", () => {
    const value = { a: "x", b: "y", note: 5 };
    expect(onlyOneOf(value, run, [wanting("a"), wanting("b")])).toBe(false);
    expect(value).toEqual({ a: "x", b: "y", note: 5 });
    expect(run.n).toBe(0);
  });
});

describe("orUntagged", () => {
  const refused = (value: Members, member: string) => wanting(member)(value, run);

  it("leaves the tag out, and no other change of the tagged attempt", () => {
    const value = { type: "a", c: 1, note: 5 };
    expect(refused(value, "a") || orUntagged(value, run, "type", 0, careless)).toBe(true);
    expect(value).toEqual({ c: 1, note: 5 });
    expect(reports()).toEqual([[["type"], "left out: a: must be a string (missing)"]]);
  });

  it("reports the fault of the tagged attempt when the alternative does not match either", () => {
    const value = { type: "a", note: 5 };
    expect(refused(value, "a") || orUntagged(value, run, "type", 0, wanting("b"))).toBe(false);
    expect(value).toEqual({ type: "a", note: 5 });
    expect(run.fault?.path).toEqual(["a"]);
  });
});

describe("untaggedOr", () => {
  it("keeps a value with an unknown tag unchanged, when the alternative does not match", () => {
    const value = { type: "new", note: 5 };
    expect(untaggedOr(value, run, "type", 0, wanting("a"))).toBe(true);
    expect(value).toEqual({ type: "new", note: 5 });
    expect(run).toEqual({ n: 0, changes: [], fault: undefined });
  });

  it("reports the alternative's missing member, when there is no tag, or its own name as one", () => {
    expect(untaggedOr({ note: "x" }, run, "type", 0, wanting("a"), "plain")).toBe(false);
    expect(run.fault?.path).toEqual(["a"]);
    expect(untaggedOr({ type: "plain", note: "x" }, run, "type", 0, wanting("a"), "plain")).toBe(false);
    expect(untaggedOr({ type: "plain", note: "x" }, run, "type", 0, wanting("a"), null)).toBe(true);
  });

  it("leaves out an invalid tag, unless the alternative declares the tag itself", () => {
    const value = { type: null, c: 1 };
    expect(untaggedOr(value, run, "type", 0, careless)).toBe(true);
    expect(value).toEqual({ type: null, c: 1 });
    expect(untaggedOr(value, run, "type", 0, careless, "plain")).toBe(true);
    expect(value).toEqual({ c: 1 });
    expect(reports()).toEqual([[["type"], "left out: must be a string (got null)"]]);
  });
});
