import type { ApiDiff } from "../api-diff.js";
import type { SchemaDiff } from "../diff-sources.js";
import { nameList } from "./group.js";

/** What an unstable schema says about exports beyond its stable twin. */
export function apiBeyond(schema: SchemaDiff, all: readonly SchemaDiff[]): ApiDiff {
  const { api } = schema;
  const twin =
    schema.stability === "stable"
      ? undefined
      : all.find((one) => one.stability === "stable" && one.protocolVersion === schema.protocolVersion)?.api;
  if (twin === undefined) return api;
  const beyond = (own: readonly string[], told: readonly string[]): string[] =>
    own.filter((name) => !told.includes(name));
  return {
    ...api,
    renamed: api.renamed.filter(({ before }) => !twin.renamed.some((one) => one.before === before)),
    removed: beyond(api.removed, twin.removed),
    added: beyond(api.added, twin.added),
    changed: beyond(api.changed, twin.changed),
    decoders: beyond(api.decoders, twin.decoders),
    methods: beyond(api.methods, twin.methods),
  };
}

/** The layer of exports, one line for each thing that happened; empty when no name, type or decoder changed. */
export function apiLines(api: ApiDiff, most: number): readonly string[] {
  const lines: string[] = [];
  if (api.renamed.length > 0) {
    const shown = api.renamed.slice(0, most).map(({ before, after }) => `\`${before}\` is \`${after}\` now`);
    const rest = api.renamed.length - shown.length;
    lines.push(`Renamed exports: ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`);
  }
  const list = (words: string, names: readonly string[]): void => {
    if (names.length > 0) lines.push(`${words}: ${nameList(names, most)}`);
  };
  list("Exports that are gone", api.removed);
  list("New exports", api.added);
  list(api.estimated === undefined ? "Exports declared differently" : "Titles that name types changed", api.changed);
  list("Params and results that decode differently", api.decoders);
  return lines;
}
