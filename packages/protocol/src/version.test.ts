import { expect, test } from "vitest";
import { isVersionError, VersionError } from "./version.js";

test("a version error has the offered and the supported versions, and is recognised across installs", () => {
  const error = new VersionError(99, [1]);
  expect(error.message).toBe("The agent supports protocol version 99, but this client supports only 1");
  expect(isVersionError(error)).toBe(true);
  expect(isVersionError(new Error("no"))).toBe(false);
});
