import type { Change } from "../classify/change.js";
import type { MethodNews } from "../compare/compare-methods.js";
import type { SchemaDiff } from "../diff-sources.js";

/** The places with the same change. */
export interface ChangeGroup {
  readonly paths: readonly string[];
  readonly first: Change;
}

/** Groups changes with the same text. Groups are in the order of their first change. */
export function groupChanges(changes: readonly Change[]): readonly ChangeGroup[] {
  const groups = new Map<string, { paths: string[]; first: Change }>();
  for (const change of changes) {
    const key = [change.class, change.says, change.note, ...change.directions].join("\n");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { paths: [change.path], first: change });
    else group.paths.push(change.path);
  }
  return [...groups.values()];
}

export interface MethodGroup {
  readonly names: readonly string[];
  readonly first: MethodNews;
}

export function groupMethods(methods: readonly MethodNews[]): readonly MethodGroup[] {
  const groups = new Map<string, { names: string[]; first: MethodNews }>();
  for (const method of methods) {
    const key = [method.kind, method.side, method.says].join("\n");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { names: [method.name], first: method });
    else group.names.push(method.name);
  }
  return [...groups.values()];
}

/** Returns the changes of an unstable schema, without the changes of the stable schema, which it repeats. */
export function beyond(
  schema: SchemaDiff,
  all: readonly SchemaDiff[],
): { methods: readonly MethodNews[]; changes: readonly Change[]; stable: SchemaDiff | undefined } {
  const stable =
    schema.stability === "stable"
      ? undefined
      : all.find((one) => one.stability === "stable" && one.protocolVersion === schema.protocolVersion);
  const stableKeys = new Set([...(stable?.changes ?? []).map(changeKey), ...(stable?.methods ?? []).map(methodKey)]);
  return {
    methods: schema.methods.filter((one) => !stableKeys.has(methodKey(one))),
    changes: schema.changes.filter((one) => !stableKeys.has(changeKey(one))),
    stable,
  };
}

function changeKey(change: Change): string {
  return `${change.class} ${change.code} ${change.path} ${change.says}`;
}

function methodKey(method: MethodNews): string {
  return `${method.change} ${method.side} ${method.kind} ${method.name}`;
}

/** Formats a shortened list: `` `a`, `b` and 3 more `` */
export function nameList(all: readonly string[], most: number): string {
  const shown = all.slice(0, most).map((name) => `\`${name}\``);
  return all.length > most ? `${shown.join(", ")} and ${all.length - most} more` : shown.join(", ");
}

/** Formats a group: "`a` was removed", "`a`, `b`: each was removed". */
export function sentence(names: readonly string[], says: string, most: number): string {
  return `${nameList(names, most)}${names.length > 1 ? ": each" : ""} ${says}`;
}
