import { expect, it } from "vitest";
import { type ExportedName, exportedNames } from "./exported-names.js";

/**
 * Version 2 and the unstable parts export the names of version 1 under other import paths. Validators are declared
 * again for JavaScript.
 */
const isAnotherVersion = ({ entry }: ExportedName): boolean => /\/(v2|unstable|validate)/.test(entry);

/** Names that are declared twice with the same meaning. */
const sameByRule: Readonly<Record<string, string>> = {
  RequestId:
    "jsonrpc knows nothing of the protocol, whose schema defines the type, too; `request-id.test-d.ts` of protocol compares them",
  webSocketAgent: "`@acp-kit/http/node` has the same function for Node 20, which has no global WebSocket",
};

const names = exportedNames().filter((name) => !isAnotherVersion(name));

it("finds the exports of packages, through barrels and re-exports", () => {
  const entriesOf = (wanted: string) => names.filter(({ name }) => name === wanted).map(({ entry }) => entry);
  expect(entriesOf("connectAgent")).toContain("@acp-kit/client");
  expect(new Set(entriesOf("RpcError"))).toEqual(
    new Set(["@acp-kit/jsonrpc", "@acp-kit/protocol", "@acp-kit/agent", "@acp-kit/client", "acp-kit"]),
  );
  expect(entriesOf("SessionUpdate")).toContain("@acp-kit/schema"); // by `export *`
});

it("gives each exported name one declaration in all packages", () => {
  const declarations = new Map<string, Set<string>>();
  for (const { name, declaration, entry } of names) {
    const known = declarations.get(name) ?? new Set();
    declarations.set(name, known.add(`${declaration} (${entry.split("/", 2).join("/")})`));
  }
  const twice = [...declarations].filter(([name, places]) => {
    const different = new Set([...places].map((place) => place.slice(0, place.indexOf(" "))));
    return different.size > 1 && !(name in sameByRule);
  });
  expect(Object.fromEntries(twice.map(([name, places]) => [name, [...places]]))).toEqual({});
});
