import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

interface Schema {
  readonly $defs: Readonly<Record<string, { readonly "x-method"?: string }>>;
}

/** The additions of our schema to the schema of the installed SDK. Empty if the SDK has the same schema. */
export interface News {
  /** New or changed definitions, and definitions that refer to one. */
  readonly definitions: ReadonlySet<string>;
  /** The names of new methods. */
  readonly methods: ReadonlySet<string>;
}

const require = createRequire(import.meta.url);
const ours = fileURLToPath(new URL("../../../schema/", import.meta.url));

/**
 * Returns the additions of our schema to the schema of the installed SDK, and prints them on one line. A schema update
 * may adopt a schema before its SDK is installed. To compare everything again, raise the SDK in the catalog of
 * `pnpm-workspace.yaml`.
 *
 * @param id - `v1`, `v1-unstable`, `v2` or `v2-unstable`.
 */
export function newerThanSdk(id: string): News {
  const path = `${id.slice(0, 2)}/schema${id.endsWith("unstable") ? ".unstable" : ""}.json`;
  const now = read(`${ours}${path}`);
  const then = read(require.resolve(`@agentclientprotocol/sdk/schema/${path}`));
  const definitions = changed(now, then);
  const known = methodsOf(then);
  const methods = new Set([...methodsOf(now)].filter((method) => !known.has(method)));
  if (definitions.size > 0)
    console.warn(`${id}: not compared with the SDK, which is older than our schema: ${[...definitions].join(", ")}`);
  return { definitions, methods };
}

function read(path: string): Schema {
  return JSON.parse(readFileSync(path, "utf8")) as Schema;
}

function methodsOf({ $defs }: Schema): ReadonlySet<string> {
  return new Set(Object.values($defs).flatMap((definition) => definition["x-method"] ?? []));
}

function changed(now: Schema, then: Schema): ReadonlySet<string> {
  const texts = Object.entries(now.$defs).map(([name, definition]) => [name, JSON.stringify(definition)] as const);
  const news = new Set(texts.filter(([name, text]) => JSON.stringify(then.$defs[name]) !== text).map(([name]) => name));
  for (let size = -1; size !== news.size; ) {
    size = news.size;
    for (const [name, text] of texts) {
      const refers = [...text.matchAll(/"#\/\$defs\/(\w+)"/g)].some(([, to = ""]) => news.has(to));
      if (refers) news.add(name);
    }
  }
  return news;
}
