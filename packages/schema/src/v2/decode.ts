// Decoders of protocol version 2.
export * from "@acp-kit/types/v2/decode";
