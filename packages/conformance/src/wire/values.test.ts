import { expect, test } from "vitest";
import { isIso8601 } from "./values.js";

test.each([
  "2026-01-01",
  "2026-01-01T00:00:00Z",
  "2026-01-01T00:00:00.123456789+02:00",
  "2026-01-01T00:00:00+00",
  "2026-01-01T00:00:00,5Z",
  "2026-06-30T23:59:60Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T07",
  "20260101T000000Z",
  "20260101",
])("%s is a time in ISO 8601", (text) => {
  expect(isIso8601(text)).toBe(true);
});

test.each([
  "yesterday",
  "",
  "1767225600000",
  "2026-13-01",
  "2026-00-01",
  "2026-01-32",
  "2026-01-01T25:00:00Z",
  "01/02/2026",
  "2026-01-01 00:00",
])("%s is not a time in ISO 8601", (text) => {
  expect(isIso8601(text)).toBe(false);
});
