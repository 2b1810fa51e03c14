import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

interface Schema {
  readonly $defs: Readonly<Record<string, { readonly "x-method"?: string }>>;
}

/** What our schema has, and the schema that the installed SDK was made from hasn't: nothing, once the SDK is the one that ours comes from. */
export interface News {
  /** Definitions that are new or different, or refer to one that is. */
  readonly definitions: ReadonlySet<string>;
  /** The names of new methods. */
  readonly methods: ReadonlySet<string>;
}

const require = createRequire(import.meta.url);
const ours = fileURLToPath(new URL("../../../schema/", import.meta.url));

/**
 * Returns what is newer in our schema, and says so in one line: a schema update adopts a schema before its SDK is installed. Raise the SDK
 * in the catalog of `pnpm-workspace.yaml` to compare everything again.
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
