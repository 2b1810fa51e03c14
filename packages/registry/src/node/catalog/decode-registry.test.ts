import fc from "fast-check";
import { expect, it } from "vitest";
import { isRegistryError } from "../errors.js";
import { decodeRegistry, maxAgents, maxProblems } from "./decode-registry.js";

const agent = {
  id: "small",
  name: "Small",
  description: "A small agent",
  version: "1.2.3",
  distribution: { npx: { package: "small@1.2.3", args: ["--acp"], env: { A: "b" } } },
};

it("decodes the revision of February 2026, with extensions", () => {
  const { document, problems } = decodeRegistry({
    version: "1.0.0",
    agents: [{ ...agent, version: "1.2.3-beta.1", authors: ["A"], license: "MIT", icon: "https://example.com/i.svg" }],
    extensions: [],
  });
  expect(problems).toEqual([]);
  expect(document.extensions).toEqual([]);
  expect(document.agents[0]).toMatchObject({ version: "1.2.3-beta.1", authors: ["A"] });
});

it("decodes the later revision: no extensions, website, license_url, sha256, cmd of packages, preview", () => {
  const target = { archive: "https://example.com/a.zip", cmd: "./a", sha256: "0".repeat(64) };
  const { document, problems } = decodeRegistry({
    version: "1.4.0",
    agents: [
      {
        ...agent,
        website: "https://example.com",
        license_url: "https://example.com/license",
        distribution: {
          uvx: { package: "small==1.2.3", cmd: "small-acp" },
          binary: { "linux-x86_64": target, "linux-riscv64": target },
        },
        preview: { version: "2.0.0", distribution: { npx: { package: "small@2.0.0" } } },
      },
    ],
  });
  expect(problems).toEqual([]);
  expect(document.agents[0]?.preview?.version).toBe("2.0.0");
  expect(document.agents[0]?.distribution.binary?.["linux-riscv64"]).toEqual(target);
});

it("keeps unknown members of the document, of agents and of distributions", () => {
  const future = { ...agent, tags: ["a"], distribution: { npx: { ...agent.distribution.npx, node: ">=22" } } };
  const { document } = decodeRegistry({ version: "1.0.0", agents: [future], mirror: { a: 1 } });
  expect(document).toEqual({ version: "1.0.0", agents: [future], mirror: { a: 1 } });
});

it("registry.tolerant: uses the known parts of a later version and reports the unknown parts", () => {
  const { document, problems } = decodeRegistry({
    version: "3.0.0",
    agents: [
      { ...agent, distribution: { ...agent.distribution, oci: { image: "a" } } },
      { ...agent, id: "image-only", distribution: { oci: { image: "a" } } },
    ],
  });
  expect(document.agents.map(({ id }) => id)).toEqual(["small"]);
  expect(document.agents[0]?.distribution.oci).toEqual({ image: "a" });
  expect(problems.map(({ path }) => path)).toEqual([
    "version",
    "agents[0].distribution.oci",
    "agents[1].distribution.oci",
    "agents[1].distribution",
  ]);
});

it.each([
  [{ ...agent, id: "../up" }, "agents[0].id"],
  [{ ...agent, id: "UPPER" }, "agents[0].id"],
  [{ ...agent, name: "" }, "agents[0].name"],
  [{ ...agent, version: "1.2" }, "agents[0].version"],
  [{ ...agent, version: "1.2.3/../../x" }, "agents[0].version"],
  [{ ...agent, distribution: {} }, "agents[0].distribution"],
  [{ ...agent, distribution: { npx: { package: "" } } }, "agents[0].distribution.npx.package"],
  [{ ...agent, distribution: { npx: { package: "a", args: "--acp" } } }, "agents[0].distribution.npx.args"],
  [{ ...agent, distribution: { npx: { package: "a", env: { "A=B": "c" } } } }, "agents[0].distribution.npx.env"],
  [
    { ...agent, distribution: { binary: { "linux-x86_64": { archive: "https://a" } } } },
    "agents[0].distribution.binary.linux-x86_64",
  ],
  [
    { ...agent, distribution: { binary: { "linux-x86_64": { archive: "https://a", cmd: "a", sha256: "no" } } } },
    "agents[0].distribution.binary.linux-x86_64.sha256",
  ],
  ["agent", "agents[0]"],
])("ignores an agent that can't be used, and reports the path: %j", (bad, path) => {
  const { document, problems } = decodeRegistry({ version: "1.0.0", agents: [bad, { ...agent, id: "good" }] });
  expect(document.agents.map(({ id }) => id)).toEqual(["good"]);
  expect(problems.map((each) => each.path)).toContain(path);
});

it("ignores optional members of a wrong type, and keeps the agent", () => {
  const { document, problems } = decodeRegistry({
    version: "1.0.0",
    agents: [{ ...agent, website: 1, authors: "A", preview: { version: "x" }, description: null }],
  });
  expect(document.agents).toEqual([{ ...agent, description: "" }]);
  expect(problems.map(({ path }) => path)).toEqual(["agents[0].website", "agents[0].authors", "agents[0].preview"]);
});

it("limits the number of agents and of reported problems", () => {
  const many = Array.from({ length: maxAgents + 10 }, (_, index) => ({ ...agent, id: `a${index}` }));
  expect(decodeRegistry({ version: "1.0.0", agents: many }).document.agents).toHaveLength(maxAgents);
  expect(decodeRegistry({ version: "1.0.0", agents: many.map(() => 1) }).problems).toHaveLength(maxProblems);
});

it("returns valid agents or throws a RegistryError, for any JSON value", () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, fc.jsonValue(), tie("object")),
    object: fc.dictionary(
      fc.constantFrom("version", "agents", "id", "name", "distribution", "npx", "package", "binary", "args"),
      tie("any"),
    ),
  })).any;
  fc.assert(
    fc.property(value, fc.array(fc.jsonValue()), (one, agents) => {
      for (const input of [
        one,
        { version: "1.0.0", agents },
        { version: "1.0.0", agents: [{ ...agent, distribution: one }] },
      ]) {
        try {
          for (const { id, distribution } of decodeRegistry(input).document.agents) {
            expect(id).toMatch(/^[a-z][a-z0-9-]*$/);
            expect(Object.keys(distribution).length).toBeGreaterThan(0);
          }
        } catch (error) {
          if (!isRegistryError(error)) throw error;
        }
      }
    }),
  );
});
