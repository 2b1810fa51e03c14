import type { Change } from "../classify/change.js";
import type { MethodNews } from "../compare/compare-methods.js";

/** The question about a renamed or removed export. */
export const exportQuestion =
  "Do the packages keep the old name as a deprecated alias, or does every import have to follow?";

/** The question about a break in the method table. */
export function methodQuestion({ change }: MethodNews): string {
  return change === "removed"
    ? "Do the packages still send and handle it for peers of the old schema, or does it go from their interfaces?"
    : "How do the packages treat a peer that still follows the old schema?";
}

/** The question about a break in a message: what we send, and how the decoder handles the other schema's messages. */
export function changeQuestion({ code }: Pick<Change, "code">): string {
  switch (code) {
    case "member-added":
    case "member-required":
      return "What do the packages send there, and does the decoder still accept messages of old peers, which leave it out?";
    case "member-optional":
      return "What do readers do when it is missing?";
    case "member-removed":
      return "What replaces it for readers, and do the packages still send it to old peers?";
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
      return "What keeps the packages from sending values out of the new bounds, and does the decoder still accept them of old peers?";
    default:
      return "What do the packages send to old peers, and does the decoder still accept what they send?";
  }
}
