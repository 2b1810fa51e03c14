import type { ApiDiff } from "../api-diff.js";
import type { SchemaDiff } from "../diff-sources.js";
import { nameList } from "./group.js";

/** Returns the changes of exports of an unstable schema, without the changes that the stable schema also has. */
export function apiBeyond(schema: SchemaDiff, all: readonly SchemaDiff[]): ApiDiff {
  const { api } = schema;
  const stable =
    schema.stability === "stable"
      ? undefined
      : all.find((one) => one.stability === "stable" && one.protocolVersion === schema.protocolVersion)?.api;
  if (stable === undefined) return api;
  const beyond = (own: readonly string[], listed: readonly string[]): string[] =>
    own.filter((name) => !listed.includes(name));
  return {
    ...api,
    renamed: api.renamed.filter(({ before }) => !stable.renamed.some((one) => one.before === before)),
    removed: beyond(api.removed, stable.removed),
    added: beyond(api.added, stable.added),
    changed: beyond(api.changed, stable.changed),
    decoders: beyond(api.decoders, stable.decoders),
    methods: beyond(api.methods, stable.methods),
  };
}

/** Lists the changes of exports, one line for each kind of change; empty if no name, type or decoder changed. */
export function apiLines(api: ApiDiff, most: number): readonly string[] {
  const lines: string[] = [];
  if (api.renamed.length > 0) {
    const shown = api.renamed.slice(0, most).map(({ before, after }) => `\`${before}\` → \`${after}\``);
    const rest = api.renamed.length - shown.length;
    lines.push(`Renamed exports: ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`);
  }
  const list = (words: string, names: readonly string[]): void => {
    if (names.length > 0) lines.push(`${words}: ${nameList(names, most)}`);
  };
  list("Removed exports", api.removed);
  list("New exports", api.added);
  list(
    api.estimated === undefined ? "Exports with a different declaration" : "Changed titles, from which types are named",
    api.changed,
  );
  list("Params and results that decode differently", api.decoders);
  return lines;
}
