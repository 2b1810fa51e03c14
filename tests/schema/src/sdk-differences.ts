import type { DecodeResult } from "@acp-kit/schema/decode";
import type { ZodType } from "./schemas.js";

export type Official = ReturnType<ZodType["safeParse"]>;

/** A place where our decoders are meant to differ from the official SDK's zod, v1's open unions apart. */
export interface Difference {
  readonly name: string;
  /** Whether what the two said of one message is this difference. `lost`: where the kept values differ. */
  readonly explains: (theirs: Official, ours: DecodeResult<unknown>, lost: readonly string[] | undefined) => boolean;
  /** A message that shows it: definition by schema, and its JSON. */
  readonly example: { readonly schema: string; readonly definition: string; readonly text: string };
}

const beyondExact = "2^53";

export const differences: readonly Difference[] = [
  {
    // They take a 64-bit integer as JSON.parse has rounded it. We refuse it, or leave it out where the schema allows.
    name: "integers that JavaScript cannot hold exactly",
    explains: (theirs, ours, lost) =>
      theirs.success &&
      (ours.ok
        ? ours.salvaged.some(({ path, message }) => message.includes(beyondExact) && isAlong(path, lost))
        : ours.issues.some(({ message }) => message.includes(beyondExact))),
    example: { schema: "v1", definition: "CancelRequestNotification", text: '{"requestId":9007199254740993}' },
  },
  {
    // zod leaves a member called `__proto__` out of a map. It is a member like any other, and we check it like one.
    name: "__proto__ in maps",
    explains: (theirs, ours, lost) =>
      theirs.success &&
      (ours.ok
        ? ours.salvaged.some(({ path, message }) => message.includes("__proto__") && isAlong(path, lost))
        : ours.issues.some(({ path }) => path.includes("__proto__"))),
    example: { schema: "v1", definition: "ElicitationAcceptAction", text: '{"content":{"__proto__":{}}}' },
  },
  {
    // They count which required members are present; the schema's `oneOf` counts which alternatives fit.
    name: "two elicitation scopes, one of them malformed",
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
