// Version 2 of the protocol, a draft.
export type * from "../gen/v2/types.gen.js";
export type { UnknownTag, UnknownVariant } from "../runtime/unknown-variant.js";
