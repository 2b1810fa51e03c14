import type { Difference } from "../difference.js";

type Exports = ReadonlyMap<string, string>;

/** Compares the exports of the generated code, each with its declaration. A renamed type breaks only imports. */
export function compareExports(
  before: Exports,
  after: Exports,
  definitions: ReadonlyMap<string, string>,
): readonly Difference[] {
  const gone = [...before.keys()].filter((name) => !after.has(name));
  const fresh = new Set([...after.keys()].filter((name) => !before.has(name)));
  const rename = renamer(definitions);
  const renamed = new Map<string, string>();
  for (const name of gone) {
    const heir = fresh.has(rename(name)) ? rename(name) : alike(name, before, fresh, after);
    if (heir === undefined) continue;
    fresh.delete(heir);
    renamed.set(name, heir);
  }
  // If a declaration differs only because it mentions a renamed export, it has not changed.
  const settle = renamer(new Map([...definitions, ...[...renamed].filter(([name]) => /^\w+$/.test(name))]));
  const changed = [...before].flatMap(([name, text]) => {
    const now = after.get(renamed.get(name) ?? name);
    return now === undefined || now === text || sorted(settle(text)) === sorted(now) ? [] : [name];
  });
  const about = (path: string): Pick<Difference, "path" | "names" | "directions" | "affects" | "methods"> => ({
    ...{ path, names: [path], directions: [], affects: [], methods: [] },
  });
  return [
    ...[...renamed].map(
      ([name, heir]): Difference => ({
        ...about(name),
        effect: "api",
        code: "export-renamed",
        says: `was renamed to \`${heir}\``,
      }),
    ),
    ...gone
      .filter((name) => !renamed.has(name))
      .map((name): Difference => ({ ...about(name), effect: "api", code: "export-removed", says: "was removed" })),
    ...[...fresh].map(
      (name): Difference => ({ ...about(name), effect: "additive", code: "export-added", says: "is new" }),
    ),
    ...changed.map(
      (name): Difference => ({
        ...about(name),
        effect: "additive",
        code: "export-changed",
        says: "has a different declaration",
      }),
    ),
  ];
}

/** Finds a new export with the same declaration, apart from its name. */
function alike(name: string, before: Exports, fresh: ReadonlySet<string>, after: Exports): string | undefined {
  const text = before.get(name)?.replaceAll(name, "·");
  if (text === undefined || text.length < 12) return undefined;
  const areaOf = (one: string): string => (one.includes(".") ? (one.split(".")[0] ?? "") : "");
  return [...fresh].find((one) => areaOf(one) === areaOf(name) && after.get(one)?.replaceAll(one, "·") === text);
}

/** Replaces renamed definitions in names and texts: `SessionId`, also within `IncomingSessionId` and `decodeX`. */
function renamer(names: ReadonlyMap<string, string>): (text: string) => string {
  if (names.size === 0) return (text) => text;
  return (text) =>
    text.replaceAll(/[A-Za-z_]\w*/g, (word) => {
      const [, prefix = "", name = ""] = /^(Incoming|Known|isKnown|decode|Custom)?(\w*)$/.exec(word) ?? [];
      const now = names.get(word) ?? names.get(name);
      if (now === undefined) return word;
      return names.has(word) ? now : `${prefix}${now}`;
    });
}

/** Sorts the lists in a declaration again. Their order has no meaning, and a renaming changes it. */
function sorted(text: string): string {
  if (!text.startsWith("{") && !text.startsWith("[")) return text;
  return JSON.stringify(JSON.parse(text), (_, value: unknown) =>
    Array.isArray(value)
      ? value.map((one) => JSON.stringify(one)).sort()
      : typeof value === "string"
        ? value
            .split(/[(<>)]| \| |, /)
            .sort()
            .join(" ")
        : value,
  );
}
