import { describe, expect, test } from "vitest";
import { isBusy, storeErrorOf } from "./sqlite-errors.js";

const failure = (code: string): Error => Object.assign(new Error("failed"), { code });

describe("the error of a store", () => {
  test.each([
    ["SQLITE_READONLY_DBMOVED", "read_only"],
    ["UNKNOWN_SQLITE_ERROR_1544", "read_only"], // a read-only folder
    ["UNKNOWN_SQLITE_ERROR_773", "busy"],
    ["UNKNOWN_SQLITE_ERROR_779", "corrupt"],
    ["UNKNOWN_SQLITE_ERROR_13", "full"],
    ["UNKNOWN_SQLITE_ERROR_8458", "io"],
    ["UNKNOWN_SQLITE_ERROR_1550", "io"],
  ])("history.damage: %s is %s, also if the library of SQLite has no name for it", (code, expected) => {
    expect(storeErrorOf(failure(code), "/a")).toMatchObject({ name: "StoreError", code: expected, path: "/a" });
    expect(isBusy(failure(code))).toBe(expected === "busy");
  });

  test("says that a file may belong to another user, if the system denies it", () => {
    const message = expect.stringMatching(/ not writable, or belongs to another user\. Check the owner .* \(failed\)$/);
    expect(storeErrorOf(failure("EACCES"), "/a")).toMatchObject({ code: "read_only", message });
  });

  test("is the error itself if it is not about the file", () => {
    const error = failure("ERR_INVALID_ARG_TYPE");
    expect(storeErrorOf(error, "/a")).toBe(error);
  });
});
