import { type Code, type Difference, effects } from "../difference.js";

/** The sentences about the differences with one effect. */
export interface Sentences {
  readonly effect: Difference["effect"];
  readonly lines: readonly string[];
}

/** The kinds of difference that are listed by name alone, and the words before the list. */
const lists: Readonly<Partial<Record<Code, string>>> = {
  "method-added": "New methods",
  "export-renamed": "Renamed exports",
  "export-removed": "Removed exports",
  "export-added": "New exports",
  "export-changed": "Exports with a different declaration",
};

/**
 * Turns differences into sentences, the most important first. Every difference is in one of the sentences: places with
 * the same difference share one. The report and the changeset both consist of these sentences, so neither denies a
 * difference.
 *
 * @param most - the number of places that a sentence names.
 */
export function sentencesOf(differences: readonly Difference[], most: number): readonly Sentences[] {
  return effects.flatMap((effect): Sentences[] => {
    const own = differences.filter((one) => one.effect === effect);
    if (effect === "none" || own.length === 0) return [];
    const groups = new Map<string, Difference[]>();
    for (const one of own) {
      const { code, says, note, directions } = one;
      const key =
        code in lists ? code : code === "documentation" ? linksOnly(one) : [says, note, ...directions].join("\n");
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    return [{ effect, lines: [...groups.values()].map((group) => sentence(group, most)) }];
  });
}

function linksOnly({ says }: Difference): string {
  return says.startsWith("has the same description") ? "links" : "text";
}

function sentence(group: readonly Difference[], most: number): string {
  const [first] = group;
  if (first === undefined) return "";
  const { code, says, note, directions } = first;
  const paths = group.map(({ path }) => path);
  if (code === "documentation")
    return linksOnly(first) === "links"
      ? `Descriptions in which only links change: ${paths.length}`
      : `Changed descriptions: ${paths.length} (${nameList(paths, 12)})`;
  const list = lists[code];
  if (list !== undefined) {
    const names =
      code === "export-renamed"
        ? group.map(({ path, says: renamed }) => `${path}\` → ${renamed.replace("was renamed to ", "").slice(0, -1)}`)
        : [...new Set(paths)];
    return `${names.length === 1 ? list.replace(/s$/, "").replace("Exports", "Export") : list}: ${nameList(names, most)}`;
  }
  const hint = note === undefined ? "" : ` — ${note}`;
  const direction = directions.length > 0 ? ` (${directions.join(", ")})` : "";
  return `${nameList(paths, most)}${paths.length > 1 ? ": each" : ""} ${says}${hint}${direction}`;
}

/** Formats a shortened list: `` `a`, `b` and 3 more `` */
export function nameList(all: readonly string[], most: number): string {
  const shown = all.slice(0, most).map((name) => `\`${name}\``);
  return all.length > most ? `${shown.join(", ")} and ${all.length - most} more` : shown.join(", ");
}
