// Version 1 of the protocol with everything that is still being tried out. It may change in a minor release.
export type * from "../gen/v1-unstable/types.gen.js";
export type { UnknownTag, UnknownVariant } from "../runtime/unknown-variant.js";
