import { type Change, changeClasses } from "./change.js";

/** The order of changes within a class: removals first, then new requirements, then additions. */
const order: readonly Change["code"][] = [
  "batch",
  "tag-renamed",
  "variant-removed",
  "member-removed",
  "value-removed",
  "type-changed",
  "type-removed",
  "null-removed",
  "member-required",
  "member-added",
  "member-optional",
  "closed",
  "reserved-tags",
  "exclusive",
  "bounds",
  "variant-added",
  "value-added",
  "type-added",
  "null-added",
  "opened",
  "order",
  "leniency",
  "default",
  "unknown-keyword",
  "annotation",
  "title",
  "documentation",
];

/** Sorts by class, then by kind, then by the number of affected methods, then by name. */
export function byImportance(a: Change, b: Change): number {
  return (
    changeClasses.indexOf(a.class) - changeClasses.indexOf(b.class) ||
    order.indexOf(a.code) - order.indexOf(b.code) ||
    b.methods.length - a.methods.length ||
    (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
  );
}
