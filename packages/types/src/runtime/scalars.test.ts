import * as fc from "fast-check";
import { expect, it } from "vitest";
import { isDateTime, isInteger, isLongString, isNumber, isUri } from "./scalars.js";

it("accepts integers up to the last that JavaScript represents exactly", () => {
  expect(isInteger(Number.MAX_SAFE_INTEGER)).toBe(true);
  expect(isInteger(Number.MIN_SAFE_INTEGER)).toBe(true);
  expect(isInteger(JSON.parse("9007199254740992"))).toBe(false);
  expect(isInteger(JSON.parse("9223372036854775807"))).toBe(false);
  for (const other of [1.5, "1", null, undefined, true, 1n]) expect(isInteger(other)).toBe(false);
});

it("keeps to inclusive bounds", () => {
  expect([-1, 0, 65_535, 65_536].map((value) => isInteger(value, 0, 65_535))).toEqual([false, true, true, false]);
  expect([-0.1, 0, 1, 1.1].map((value) => isNumber(value, 0, 1))).toEqual([false, true, true, false]);
});

it("refuses numbers that JSON cannot represent", () => {
  expect(isNumber(JSON.parse("1e999"))).toBe(false);
  expect(isNumber(Number.NaN)).toBe(false);
  expect(isNumber(JSON.parse("1e300"))).toBe(true);
});

it("accepts absolute URIs of any scheme", () => {
  for (const uri of ["https://a.b/c?d#e", "file:///work/a.ts", "zed:///x", "urn:isbn:1", "data:,x"])
    expect(isUri(uri)).toBe(true);
  for (const other of ["/work/a.ts", "a.ts", "", "//a.b", 5, null, ["https://a.b"]]) expect(isUri(other)).toBe(false);
});

it("accepts RFC 3339 date-times", () => {
  for (const text of [
    "2026-11-02T10:20:30Z",
    "2026-11-02t10:20:30.5z",
    "2024-02-29T23:59:60+14:00",
    "2000-02-29T00:00:00-00:30",
    "0001-01-01T00:00:00Z",
  ])
    expect(isDateTime(text), text).toBe(true);
  for (const text of [
    "2026-11-02",
    "2026-11-02T10:20Z",
    "2026-11-02T10:20:30",
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z",
    " 2026-01-01T00:00:00Z",
    5,
    null,
  ])
    expect(isDateTime(text), String(text)).toBe(false);
});

it("accepts every date that JavaScript writes", () => {
  const years = { min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true };
  fc.assert(fc.property(fc.date(years), (date) => isDateTime(date.toISOString())));
});

it("counts a string in code points", () => {
  expect(isLongString("", 1)).toBe(false);
  expect(isLongString("🦱", 1)).toBe(true);
  expect(isLongString("🦱", 2)).toBe(false);
  expect(isLongString(["a", "b"], 1)).toBe(false);
});
