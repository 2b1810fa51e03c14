// Decoders of protocol version 1.
export * from "@acp-kit/types/decode";
