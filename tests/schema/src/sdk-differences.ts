import type { DecodeResult } from "@acp-kit/schema/decode";
import type { ZodType } from "./schemas.js";

export type Official = ReturnType<ZodType["safeParse"]>;

/** An intended difference between our decoders and the official SDK's zod schemas, apart from v1's open unions. */
export interface Difference {
  readonly name: string;
  /** Whether the two outcomes for one message show this difference. `lost`: the path at which the results differ. */
  readonly explains: (theirs: Official, ours: DecodeResult<unknown>, lost: readonly string[] | undefined) => boolean;
  /** A message that shows the difference: schema, definition, and JSON text. */
  readonly example: { readonly schema: string; readonly definition: string; readonly text: string };
}

const beyondExact = "2^53";

export const differences: readonly Difference[] = [
  {
    // The SDK accepts a 64-bit integer that JSON.parse has rounded. We refuse it, or drop it where the schema allows
    // that.
    name: "integers that JavaScript cannot hold exactly",
    explains: (theirs, ours, lost) =>
      theirs.success &&
      (ours.ok
        ? ours.salvaged.some(({ path, message }) => message.includes(beyondExact) && isAlong(path, lost))
        : ours.issues.some(({ message }) => message.includes(beyondExact))),
    example: { schema: "v1", definition: "CancelRequestNotification", text: '{"requestId":9007199254740993}' },
  },
  {
    // zod drops a member called `__proto__` of a map. Our decoders check it like every other member.
    name: "members with the name __proto__ in maps",
    explains: (theirs, ours, lost) =>
      theirs.success &&
      (ours.ok
        ? ours.salvaged.some(({ path, message }) => message.includes("__proto__") && isAlong(path, lost))
        : ours.issues.some(({ path }) => path.includes("__proto__"))),
    example: { schema: "v1", definition: "ElicitationAcceptAction", text: '{"content":{"__proto__":{}}}' },
  },
  {
    // The SDK counts the required members that are present; the schema's `oneOf` counts the alternatives that match.
    name: "elicitations with two scopes, one of them malformed",
    explains: (theirs, ours) =>
      !theirs.success && ours.ok && JSON.stringify(theirs.error.issues).includes("Expected exactly one of"),
    example: {
      schema: "v2",
      definition: "ElicitationUrlMode",
      text: '{"elicitationId":"e","url":"https://a.b","sessionId":"s","requestId":{}}',
    },
  },
];

function isAlong(path: readonly PropertyKey[], lost: readonly string[] | undefined): boolean {
  return lost?.every((key, index) => index >= path.length || String(path[index]) === key) === true;
}
