import { expect, it } from "vitest";
import { agentQuirks, isInRange, launchQuirks, launchQuirksOf, quirksOf } from "./index.js";

it.each([
  ["1.2.3", ">=1.2.3", true],
  ["1.2.2", ">=1.2.3", false],
  ["1.10.0", ">=1.9.0 <1.11.0", true],
  ["1.11.0", ">=1.9.0 <1.11.0", false],
  ["2.0.0-beta.1", ">=2.0.0", true],
  ["v1.2.3", "1.2.3", true],
  ["1.2.3", "=1.2.4", false],
  ["1.2", ">=1.0.0", false],
  ["1.2.3.4", ">=1.0.0", false],
  ["", "*", true],
  ["1.2.3", "nonsense", false],
])("%s in %s: %s", (version, range, expected) => {
  expect(isInRange(version, range)).toBe(expected);
});

it("the range of each row contains its measured version, and no other measured version of the agent", () => {
  for (const { agent, versions, measured } of agentQuirks) {
    expect(isInRange(measured.version, versions)).toBe(true);
    const others = agentQuirks.filter((row) => row.agent === agent && row.measured.version !== measured.version);
    expect(others.filter((row) => isInRange(measured.version, row.versions))).toEqual([]);
    expect(quirksOf(agent, measured.version)?.measured).toEqual(measured);
    expect(measured.on).toMatch(/^\d{4}-\d\d-\d\d$/);
  }
  expect(quirksOf("no-such-agent")).toBeUndefined();
});

it("each launch quirk has a reason and a source", () => {
  for (const { agent, versions, why, source } of launchQuirks) {
    expect(why).not.toBe("");
    expect(source).toMatch(/^https:\/\//);
    expect(launchQuirksOf(agent).filter((each) => each.versions !== "*")).toEqual([]);
    expect(versions).not.toBe("");
  }
});
