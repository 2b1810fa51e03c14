// For applications: messages over bytes, on any platform.

export type { Transport } from "@acp-kit/jsonrpc"; // the type that byteTransport() returns
export { type ByteStreams, byteTransport } from "./byte-transport.js";
// For authors of byte transports.
export type { DecodeText } from "./decode-text.js";
export { type ByteTransportOptions, byteTransportDefaults } from "./limits.js";
export { type Framing, MessageReader, type MessageReaderOptions } from "./message-reader.js";
export { type Batch, MessageWriter, type MessageWriterOptions } from "./message-writer.js";
