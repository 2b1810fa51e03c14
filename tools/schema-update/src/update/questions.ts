import type { Change } from "../classify/change.js";
import type { MethodNews } from "../compare/compare-methods.js";

/** The question about a renamed or removed export. */
export const exportQuestion =
  "Do the packages keep the old name as a deprecated alias, or must every import be changed?";

/** The question about a break in the method table. */
export function methodQuestion({ change }: MethodNews): string {
  return change === "removed"
    ? "Do the packages still send and handle the method for peers with the old schema, or do they remove it from their interfaces?"
    : "How do the packages treat a peer with the old schema?";
}

/** The question about a breaking change of a message: the values that the packages send, and the messages that the decoder accepts. */
export function changeQuestion({ code }: Pick<Change, "code">): string {
  switch (code) {
    case "member-added":
    case "member-required":
      return "What do the packages send as this member, and does the decoder still accept messages of old peers, which omit it?";
    case "member-optional":
      return "What do readers do when the member is missing?";
    case "member-removed":
      return "What replaces the member for readers, and do the packages still send it to old peers?";
    case "variant-added":
    case "value-added":
    case "type-added":
    case "null-added":
    case "opened":
      return "What do the packages do with the new values, and when may they be sent to old peers, which reject them?";
    case "variant-removed":
    case "value-removed":
    case "type-removed":
    case "null-removed":
    case "closed":
      return "What do the packages send instead, and does the decoder still accept the old values of old peers?";
    case "bounds":
    case "reserved-tags":
    case "exclusive":
      return "What prevents the packages from sending values out of the new bounds, and does the decoder still accept them from old peers?";
    default:
      return "What do the packages send to old peers, and does the decoder still accept the messages of old peers?";
  }
}
