import { expect, test } from "vitest";
import { agentScenarios } from "../agent/agent-scenarios.js";
import { agentWatches } from "../agent/agent-watches.js";
import { clientScenarios, clientWatches } from "../client/client-scenarios.js";
import { weighs } from "../heaviest-tier.js";
import { requirementOf } from "./find-requirement.js";
import { officialIdsWithoutRule } from "./official-ids.js";
import { officialTiers } from "./official-tiers.js";
import { requirements } from "./requirements.js";
import { type Tier, tierExceptions, tierOf, tiersByWeight } from "./tier.js";

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
  const weight = (tier: Tier | undefined): number => (tier ? tiersByWeight.indexOf(tier) : -1);
  for (const rule of requirements) {
    const official = (rule.officialIds ?? []).map((id) => weight(officialTiers[id]));
    expect(official, rule.id).not.toContain(-1);
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
  for (const id of Object.keys(tierExceptions)) {
    const { id: _, ...same } = requirementOf(id);
    expect(tierOf({ ...same, id: "none" }), id).not.toBe(tierExceptions[id]?.tier);
  }
});

test("every id of the official kit belongs to a rule, or has a reason why not", () => {
  const aliases = new Set(requirements.flatMap(({ officialIds = [] }) => officialIds));
  for (const id of aliases) expect(id).toMatch(/^ACP-[A-Z]+(-[A-Z]+)?-\d{3}$/);
  expect(Object.keys(officialIdsWithoutRule).filter((id) => aliases.has(id))).toEqual([]);
  expect(requirements.find(({ officialIds }) => officialIds?.includes("ACP-INIT-003"))?.id).toBe("INIT-08");
  expect([...aliases, ...Object.keys(officialIdsWithoutRule)].sort()).toEqual(Object.keys(officialTiers).sort());
});
