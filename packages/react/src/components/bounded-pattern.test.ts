import { describe, expect, it } from "vitest";
import { matchesPattern } from "./bounded-pattern.js";

describe("the pattern of an agent", () => {
  it.each<[string, string, string]>([
    ["^[a-z]+$", "abc", "abc1"],
    ["[0-9]", "a1", "a"],
    ["^\\d{3}-\\d{4}$", "555-1234", "555-12345"],
    ["^[A-Za-z0-9_-]{3,20}$", "some_name", "no"],
    ["^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$", "ann@mail.example.com", "ann@example"],
    ["^v?\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?$", "v1.22.333-beta.1", "v1.22"],
    ["^#?(?:[a-f\\d]{6}|[a-f\\d]{3})$", "#c0ffee", "#c0ff"],
    ["^(?:\\d{1,3}\\.){3}\\d{1,3}$", "10.0.0.3", "10.0.3"],
    ["^[^\\]\\\\]+$", "a[b", "a]b"],
    ["^\\p{L}+$", "Ärger", "a1"],
    ["^\\u{1F600}{2}$", "😀😀", "😀"],
    ["^(?=.*\\d)(?<word>\\w{2,9})$", "abc1", "abcd"],
    ["^.$", "😀", "ab"],
  ])("%s matches %s, and not %s", (pattern, right, wrong) => {
    expect([matchesPattern(right, pattern), matchesPattern(wrong, pattern)]).toEqual([true, false]);
  });

  it.each<[string, string]>([
    ["nested repetitions", "^(a+)+$"],
    ["repetitions of alternatives that match the same", "^(?:a|a)*$"],
    ["repetitions of parts that may be absent", "^(?:a?){100}a{100}$"],
    ["many repetitions one after the other", `^${"a*".repeat(100)}$`],
    ["two repetitions of lines", "^(?:.*.*)=$"],
    ["repetitions in a look-ahead", "^(?=(?:a|aa)+$)b"],
    ["references", "^(a*)*\\1b"],
    ["large fixed numbers", "^(?:(?:){1000}){100000}b"],
    ["deeply nested groups", `^${"(".repeat(200)}a${")*".repeat(200)}b`],
    ["a length beyond the limit", `^${"a".repeat(500)}$`],
  ])("accepts any text if the check could block the page: %s", (_, pattern) => {
    expect(matchesPattern(`${"a".repeat(2_000)}!`, pattern)).toBe(true);
  });

  it.each(["(", "[", "a{2,1}", "\\", "*", "(?<n>a)(?<n>b)", "\\k<n>", "{"])(
    "accepts any text if it is invalid: %s",
    (pattern) => {
      expect(matchesPattern("x", pattern)).toBe(true);
    },
  );
});
