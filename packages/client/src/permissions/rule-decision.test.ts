import type { PermissionOption } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import { cancelledOutcome, optionOfKind, outcomeOf, rejectionOf } from "./rule-decision.js";

const options: readonly PermissionOption[] = [
  { optionId: "no-always", name: "Never", kind: "reject_always" },
  { optionId: "yes-2", name: "Yes, twice", kind: "allow_always" },
  { optionId: "yes-3", name: "Yes, again", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
];

describe("an option is chosen by its kind, never by its place or id", () => {
  test("the first of the kind", () => {
    expect(optionOfKind(options, "allow_once")?.optionId).toBe("yes");
    expect(optionOfKind(options, "allow_always")?.optionId).toBe("yes-2");
  });

  test("a missing `always` falls back to `once`", () => {
    expect(optionOfKind(options.slice(3), "allow_always")?.optionId).toBe("yes");
  });

  test("a missing `once` never becomes `always`", () => {
    expect(optionOfKind(options, "reject_once")).toBeUndefined();
    expect(optionOfKind(options.slice(0, 3), "allow_once")).toBeUndefined();
  });
});

describe("the outcome of an answer", () => {
  test("a kind becomes the id of its option", () => {
    expect(outcomeOf("allow_once", options)).toEqual({ outcome: "selected", optionId: "yes" });
  });

  test("PERM-04 an id that was not offered has no outcome", () => {
    expect(outcomeOf({ outcome: "selected", optionId: "made-up" }, options)).toBeUndefined();
  });

  test("cancelled is cancelled, in either form", () => {
    expect(outcomeOf("cancelled", options)).toEqual(cancelledOutcome);
    expect(outcomeOf({ outcome: "cancelled" }, options)).toEqual(cancelledOutcome);
  });
});

describe("permissions.undecided-is-rejected: the mildest rejection", () => {
  const no = (optionId: string, kind: PermissionOption["kind"] = "reject_once", name = "No"): PermissionOption => ({
    ...{ optionId, name, kind },
  });

  test.each<[string, PermissionOption[], string | undefined]>([
    ["once before always", [no("1", "reject_always"), no("2")], "2"],
    ["always, if there is nothing else", [no("1", "allow_once"), no("2", "reject_always")], "2"],
    ["none", [no("1", "allow_once")], undefined],
    ["of two of a kind, the one that goes on", [no("abort"), no("denied")], "denied"],
    ["by its name, too", [no("1", "reject_once", "No, and stop"), no("2")], "2"],
    ["the first, if all stop", [no("abort"), no("cancel")], "abort"],
  ])("%s", (_, options, expected) => {
    expect(rejectionOf(options)?.optionId).toBe(expected);
    expect(outcomeOf("reject", options)).toEqual(
      expected === undefined ? cancelledOutcome : { outcome: "selected", optionId: expected },
    );
  });
});
