// Version 1 of the protocol, stable. What we send: `X`; what arrives, where that is more: `IncomingX`.
export type * from "./gen/v1/types.gen.js";
export type { UnknownTag, UnknownVariant } from "./runtime/unknown-variant.js";
