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
  PlanEntry:
    "transcripts contain plans of both versions, so their entries have the type of version 2, with one more status",
  serveMcp: "`@acp-kit/mcp/node` has the same function, which can also open addresses on this machine",
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

it("exports as many names from each entry as its authors have decided", () => {
  const counts = new Map<string, number>();
  for (const { entry } of exportedNames()) {
    if (!isGenerated(entry) && !entry.endsWith("/internal")) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  }
  expect(Object.fromEntries(counts)).toEqual(publicNames);
});

const isGenerated = (entry: string): boolean => /^@acp-kit\/(schema|types)/.test(entry);

/**
 * The number of names that each entry exports. A name that users need raises the number on purpose; a helper of this
 * repository belongs into `./internal`, and a type that only names a part of another type is reached through that type.
 */
const publicNames: Readonly<Record<string, number>> = {
  "acp-kit": 62,
  "acp-kit/cli": 2,
  "@acp-kit/agent": 62,
  "@acp-kit/agent/unstable": 3,
  "@acp-kit/ai-sdk": 33,
  "@acp-kit/ai-sdk/mcp": 5,
  "@acp-kit/client": 104,
  "@acp-kit/client/unstable": 10,
  "@acp-kit/conformance": 71,
  "@acp-kit/conformance/node": 7,
  "create-acp-agent": 2,
  "@acp-kit/everything-agent": 16,
  "@acp-kit/everything-agent/node": 6,
  "@acp-kit/gateway": 29,
  "@acp-kit/gateway/contract": 3,
  "@acp-kit/gateway/engine": 30,
  "@acp-kit/gateway/http": 8,
  "@acp-kit/gateway/node": 9,
  "@acp-kit/gateway/node/metrics": 2,
  "@acp-kit/gateway-postgres": 9,
  "@acp-kit/gateway-redis": 7,
  "@acp-kit/http": 51,
  "@acp-kit/http/node": 16,
  "@acp-kit/inspector": 17,
  "@acp-kit/jsonrpc": 33,
  "@acp-kit/mcp": 19,
  "@acp-kit/mcp/node": 7,
  "@acp-kit/protocol": 54,
  "@acp-kit/protocol/v2": 4,
  "@acp-kit/protocol/v2/strict": 2,
  "@acp-kit/protocol/unstable": 4,
  "@acp-kit/protocol/strict": 2,
  "@acp-kit/proxy": 22,
  "@acp-kit/proxy/middleware": 12,
  "@acp-kit/proxy/v2": 3,
  "@acp-kit/react": 82,
  "@acp-kit/redact": 6,
  "@acp-kit/registry": 75,
  "@acp-kit/registry/quirks": 9,
  "@acp-kit/sessions": 27,
  "@acp-kit/sessions/node": 9,
  "@acp-kit/stdio": 12,
  "@acp-kit/stdio/node": 35,
  "@acp-kit/testing": 47,
  "@acp-kit/testing/recording": 51,
  "@acp-kit/testing/v2": 7,
  "@acp-kit/testing/vitest": 5,
  "@acp-kit/testing/model": 15,
  "@acp-kit/testing/node": 29,
  "@acp-kit/v2/agent": 2,
  "@acp-kit/v2/client": 1,
  "@acp-kit/v2/bridge": 4,
  "@acp-kit/v2/gateway": 2,
  "@acp-kit/workspace": 24,
};
