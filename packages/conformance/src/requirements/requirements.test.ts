import { expect, test } from "vitest";
import { agentScenarios, agentWatches } from "../agent/agent-checks.js";
import { clientScenarios, clientWatches } from "../client/client-checks.js";
import { weighs } from "../heaviest-tier.js";
import { requirementOf } from "./find-requirement.js";
import type { Tier } from "./requirement.js";
import { requirements } from "./requirements.js";
import { tierOf, tiersByWeight } from "./tier.js";

test("every rule has a unique id of the form AREA-nn", () => {
  const ids = requirements.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[A-Z]+-\d\d$/.test(id))).toEqual([]);
  expect(ids).toHaveLength(472);
});

test("every rule states its source and its requirement", () => {
  for (const { id, sources, rule } of requirements) {
    expect(sources.length, id).toBeGreaterThan(0);
    expect(rule.length, id).toBeGreaterThan(10);
  }
});

test("an id that a rule's text cites exists", () => {
  const ids = new Set(requirements.map(({ id }) => id));
  const areas = new Set([...ids].map((id) => id.split("-")[0] ?? ""));
  for (const { id, rule } of requirements) {
    for (const [cited, area] of rule.matchAll(/\b([A-Z]+)-\d\d\b/g)) {
      if (area !== undefined && areas.has(area)) expect(ids.has(cited), `${id} cites ${cited}`).toBe(true);
    }
  }
});

test("conformance.only-must-weighs: only a broken MUST or MUST NOT makes a peer not conformant", () => {
  expect(tierOf(requirementOf("PERM-04"))).toBe("mandatory"); // MUST
  expect(tierOf(requirementOf("CAP-01"))).toBe("mandatory"); // MUST NOT
  expect(tierOf(requirementOf("FS-03"))).toBe("capability"); // a MUST of an optional part
  expect(tierOf(requirementOf("SESS-05"))).toBe("advisory"); // shown by the schema
  expect(tierOf(requirementOf("TERM-09"))).toBe("advisory"); // shown by the pages
  expect(tierOf(requirementOf("DIR-13"))).toBe("advisory"); // a MUST, but only of an RFD
  expect(tierOf(requirementOf("INIT-04"))).toBe("advisory"); // SHOULD
  expect(tierOf(requirementOf("CANCEL-01"))).toBe("informational"); // MAY
  expect(tierOf(requirementOf("TRANS-16"))).toBe("informational"); // only an inference
  const firm = new Set(["MUST", "MUST NOT"]);
  const heavy = requirements.filter((each) => weighs(tierOf(each)) && !firm.has(each.level)).map(({ id }) => id);
  expect(heavy).toEqual(["PERM-07"]);
});

test("the rules in brokenBy bind the same role, are not in a lighter tier, and a scenario cites them", () => {
  const cited = new Set([...agentScenarios, ...agentWatches, ...clientScenarios, ...clientWatches].flatMap(verified));
  for (const { id, binds, brokenBy = [] } of requirements) {
    for (const other of brokenBy.map(requirementOf)) {
      expect(other.binds === binds || binds === "both", `${id} binds ${binds}, ${other.id} ${other.binds}`).toBe(true);
      const weight = [other, requirementOf(id)].map((each) => tiersByWeight.indexOf(tierOf(each)));
      expect(weight[0], `${other.id} is lighter than ${id}`).toBeLessThanOrEqual(weight[1] ?? 0);
      expect(cited.has(other.id), other.id).toBe(true);
      expect(other.brokenBy, `${id}: ${other.id} is broken by others itself`).toBeUndefined();
    }
  }
});

function verified({ verifies }: { readonly verifies: readonly string[] }): readonly string[] {
  return verifies;
}

test("no rule is in a heavier tier than in the official kit", () => {
  const weight = (tier: Tier): number => tiersByWeight.indexOf(tier);
  for (const rule of requirements) {
    const official = Object.values(rule.official ?? {}).map(weight);
    if (official.length > 0) expect(weight(tierOf(rule)), rule.id).toBeGreaterThanOrEqual(Math.min(...official));
  }
  expect(tierOf(requirementOf("PROMPT-04"))).toBe("advisory"); // a MUST that the pages contradict
  expect(tierOf(requirementOf("EXT-03"))).toBe("advisory");
});

test.for(["TRANS-12", "TOOL-10", "SESS-33", "CFG-18", "CFG-20", "INIT-22", "SESS-17", "FS-09", "PERM-11"])(
  "%s, which once failed legal peers, is advice",
  (id, { expect }) => expect(weighs(tierOf(requirementOf(id)))).toBe(false),
);

test("every exception to the tiers changes the tier of its rule", () => {
  const exceptions = requirements.filter(({ tier }) => tier !== undefined);
  expect(exceptions).toHaveLength(6);
  for (const { tier, ...rule } of exceptions) expect(tierOf(rule), rule.id).not.toBe(tier?.is);
});

/** Ids of the official kit that match no rule of this package, each with the reason. */
const officialIdsWithoutRule: Readonly<Record<string, string>> = {
  "ACP-ADDDIRS-001":
    "An agent that advertises the capability accepts valid lists, so no separate rule says so; the rules of this package are about invalid lists (DIR-03, DIR-07).",
  "ACP-PROMPTCAP-001":
    "An agent that advertises a block type accepts blocks of that type, so no separate rule says so.",
  "ACP-PROMPTCAP-002": "As ACP-PROMPTCAP-001, for audio.",
  "ACP-PROMPTCAP-003": "As ACP-PROMPTCAP-001, for embedded resources.",
  "ACP-AUTH-005":
    "The official kit advises that an agent without login methods requires no login; version 1 does not state this.",
};

test("every id of the official kit belongs to a rule, or has a reason why not", () => {
  const official = requirements.flatMap(({ official = {} }) => Object.entries(official));
  const tiers = new Map(official);
  for (const [id, tier] of official) {
    expect(id).toMatch(/^ACP-[A-Z]+(-[A-Z]+)?-\d{3}$/);
    expect(tiers.get(id), id).toBe(tier); // the same in each rule
    expect(officialIdsWithoutRule[id]).toBeUndefined();
  }
  expect(requirements.find(({ official = {} }) => "ACP-INIT-003" in official)?.id).toBe("INIT-08");
  expect(tiers.size + Object.keys(officialIdsWithoutRule).length).toBe(56);
});
