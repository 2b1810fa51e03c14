import type { Change, ChangeKind } from "../classify/change.js";
import type { MethodNews } from "../compare/compare-methods.js";
import { conjunction } from "../compare/describe.js";
import type { SchemaDiff } from "../diff-sources.js";
import { beyond } from "./group.js";

/**
 * Summarises the changes of one schema in a few lines: the sides that must act and the reasons, then additions, then changes that only
 * decoders or readers of the documentation notice.
 */
export function verdictLines(diff: SchemaDiff, all: readonly SchemaDiff[]): readonly string[] {
  const lines: string[] = [];
  const breaking = [
    ...diff.methods.filter((one) => one.class === "breaking"),
    ...diff.changes.filter((one) => one.class === "breaking"),
  ];
  for (const party of ["agent", "client", "proxy", "conductor"]) {
    const felt = breaking.filter(({ affects }) => affects.includes(party));
    if (felt.length > 0) lines.push(`**Breaks ${plural(party)}** (${felt.length}): ${firstOf(felt)}`);
  }
  if (breaking.length > 0 && diff.stability === "unstable") lines.push(concerned(diff, all));
  const names = diff.api.renamed.length + diff.api.removed.length;
  if (names > 0)
    lines.push(
      `**Renames or removes ${amount(names, "export")}**: code that imports ${names === 1 ? "it" : "them"} has to follow.`,
    );
  const additive = countNews(diff);
  if (additive.length > 0)
    lines.push(`${capital(conjunction(additive))}.${breaking.length + names === 0 ? " Nothing breaks." : ""}`);
  else if (diff.wire !== "breaking" && diff.api.class === "additive")
    lines.push(
      `Changes or adds ${amount(diff.api.added.length + diff.api.changed.length + diff.api.methods.length, "export or method entry", "exports or method entries")}.`,
    );
  if (diff.stabilised.length > 0) lines.push(`Stable now, previously unstable: ${quoted(diff.stabilised)}.`);
  const decoder = diff.changes.filter((one) => one.class === "decoder behaviour");
  if (decoder.length > 0) lines.push(decoderLine(decoder));
  const annotations = diff.changes.filter((one) => one.class === "annotation").length;
  if (annotations > 0) lines.push(`${amount(annotations, "annotation")} changed; messages did not change.`);
  const documentation = diff.changes.filter((one) => one.class === "documentation").length;
  if (documentation > 0)
    lines.push(
      `The ${documentation === 1 ? "description" : "descriptions"} of ${amount(documentation, "definition")} changed.`,
    );
  return lines.length > 0 ? lines : ["No change."];
}

/**
 * Returns a sentence about who is affected. An unstable file contains the stable schema, so only a comparison of both shows which
 * changes are unstable.
 */
function concerned(diff: SchemaDiff, all: readonly SchemaDiff[]): string {
  const { methods, changes, stable } = beyond(diff, all);
  if (stable === undefined)
    return "The file contains stable and unstable parts; there is no stable file to compare with.";
  const broken = (list: readonly { class: string }[]): number => list.filter((one) => one.class === "breaking").length;
  const own = broken(methods) + broken(changes);
  const total = broken(diff.methods) + broken(diff.changes);
  if (own === total) return "Only people who opted in to the unstable schema are affected.";
  return own === 0
    ? `All of these changes break the stable v${stable.protocolVersion} too.`
    : `${own} of these ${total} concern only people who opted in to the unstable schema.`;
}

function firstOf(felt: readonly (MethodNews | Change)[]): string {
  const names = felt.map((one) => ("path" in one ? one.path : one.name));
  const shown = quoted(names.slice(0, 3));
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

function countNews(diff: SchemaDiff): readonly string[] {
  const codes = (...wanted: readonly Change["code"][]): number =>
    diff.changes.filter((one) => one.class === "additive" && wanted.includes(one.code)).length;
  const methods = new Set(diff.methods.filter((one) => one.change === "added").map(({ name }) => name)).size;
  const members = codes("member-added");
  const variants = codes("variant-added", "value-added", "type-added");
  const all = diff.changes.filter((one) => one.class === "additive").length;
  const others = all - members - variants;
  const added = [
    methods > 0 ? amount(methods, "method") : "",
    members > 0 ? amount(members, "optional member") : "",
    variants > 0 ? amount(variants, "variant or value", "variants or values") : "",
  ].filter((part) => part !== "");
  return [
    ...(added.length > 0 ? [`adds ${conjunction(added)}`] : []),
    ...(others > 0 ? [`loosens the rules in ${amount(others, "place")}, without effect on peers`] : []),
  ];
}

function decoderLine(changes: readonly Change[]): string {
  const of = (wanted: ChangeKind): number => changes.filter(({ kind }) => kind === wanted).length;
  const [stricter, tolerant, different] = [of("stricter"), of("tolerant"), of("different")];
  const limits = [
    stricter > 0 ? `stricter in ${amount(stricter, "place")}` : "",
    tolerant > 0 ? `more tolerant in ${amount(tolerant, "place")}` : "",
  ].filter((part) => part !== "");
  const parts = [
    limits.length > 0 ? `be ${limits.join(" and ")}` : "",
    different > 0 ? `decode differently in ${amount(different, "place")}` : "",
  ].filter((part) => part !== "");
  return `Decoders must ${parts.join(", and ")}.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function plural(party: string): string {
  return party === "proxy" ? "proxies" : `${party}s`;
}

export function amount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
