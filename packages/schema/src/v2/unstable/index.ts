// Version 2 of the protocol with everything that is still being tried out. It may change in a minor release.
export type * from "../../gen/v2-unstable/types.gen.js";
export type { UnknownTag, UnknownVariant } from "../../runtime/unknown-variant.js";
