import { expect, test } from "vitest";
import { requirementOf } from "./find-requirement.js";
import { officialIdsWithoutRule } from "./official-ids.js";
import { requirements } from "./requirements.js";
import { tierExceptions, tierOf } from "./tier.js";

test("every rule has an id of its own, of the form AREA-nn", () => {
  const ids = requirements.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[A-Z]+-\d\d$/.test(id))).toEqual([]);
  expect(ids).toHaveLength(472);
});

test("every rule says where it stands and what it asks", () => {
  for (const { id, sources, rule } of requirements) {
    expect(sources.length, id).toBeGreaterThan(0);
    expect(rule.length, id).toBeGreaterThan(10);
  }
});

test("an id that a rule's text cites exists", () => {
  const ids = new Set(requirements.map(({ id }) => id));
  const areas = new Set([...ids].map((id) => id.split("-")[0] ?? ""));
  for (const { id, rule, check } of requirements) {
    for (const [cited, area] of `${rule} ${check ?? ""}`.matchAll(/\b([A-Z]+)-\d\d\b/g)) {
      if (area !== undefined && areas.has(area)) expect(ids.has(cited), `${id} cites ${cited}`).toBe(true);
    }
  }
});

test("the tier follows from the level, the source and the optional part", () => {
  expect(tierOf(requirementOf("PERM-04"))).toBe("mandatory"); // MUST
  expect(tierOf(requirementOf("CAP-01"))).toBe("mandatory"); // MUST NOT
  expect(tierOf(requirementOf("FS-03"))).toBe("capability"); // MUST, of an optional part
  expect(tierOf(requirementOf("SESS-05"))).toBe("mandatory"); // stated by the schema
  expect(tierOf(requirementOf("TERM-09"))).toBe("capability"); // stated by the documents, of an optional part
  expect(tierOf(requirementOf("DIR-13"))).toBe("advisory"); // MUST, but of an RFD alone
  expect(tierOf(requirementOf("INIT-04"))).toBe("advisory"); // SHOULD
  expect(tierOf(requirementOf("RPC-08"))).toBe("advisory"); // partly an inference
  expect(tierOf(requirementOf("CANCEL-01"))).toBe("informational"); // MAY
  expect(tierOf(requirementOf("TRANS-16"))).toBe("informational"); // an inference alone
});

test("an exception to the rule of tiers changes something", () => {
  for (const id of Object.keys(tierExceptions)) {
    const { id: _, ...same } = requirementOf(id);
    expect(tierOf({ ...same, id: "none" }), id).not.toBe(tierExceptions[id]?.tier);
  }
});

test("an id of the official kit is an alias, or has a reason not to be", () => {
  const aliases = new Set(requirements.flatMap(({ officialIds = [] }) => officialIds));
  for (const id of aliases) expect(id).toMatch(/^ACP-[A-Z]+(-[A-Z]+)?-\d{3}$/);
  expect(Object.keys(officialIdsWithoutRule).filter((id) => aliases.has(id))).toEqual([]);
  expect(requirements.find(({ officialIds }) => officialIds?.includes("ACP-INIT-003"))?.id).toBe("INIT-08");
  expect(aliases.size + Object.keys(officialIdsWithoutRule).length).toBe(56);
});
