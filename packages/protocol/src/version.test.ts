import { expect, test } from "vitest";
import { isVersionError, negotiateVersion, VersionError } from "./version.js";

test("INIT-07 the response to a supported version has exactly that version", () => {
  expect(negotiateVersion(1, [1])).toBe(1);
  expect(negotiateVersion(1, [2, 1])).toBe(1);
});

test.each([0, 2, 65_535])(
  "INIT-08 the response to version %d has the newest supported one and is no error",
  (requested) => {
    expect(negotiateVersion(requested, [1])).toBe(1);
  },
);

test("a version error has the offered and the supported versions, and is recognised across installs", () => {
  const error = new VersionError(99, [1]);
  expect(error.message).toBe("The agent supports protocol version 99, but this client supports only 1");
  expect(isVersionError(error)).toBe(true);
  expect(isVersionError(new Error("no"))).toBe(false);
});
