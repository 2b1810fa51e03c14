// For everybody: messages over bytes, on any platform.

export type { Transport } from "@acp-kit/jsonrpc"; // what byteTransport() returns
export { type ByteStreams, byteTransport } from "./byte-transport.js";
// For people who build a byte transport of their own.
export type { DecodeText } from "./decode-text.js";
export { type ByteTransportOptions, byteTransportDefaults } from "./limits.js";
export { type Framing, MessageReader, type MessageReaderOptions } from "./message-reader.js";
export { type Batch, MessageWriter, type MessageWriterOptions } from "./message-writer.js";
