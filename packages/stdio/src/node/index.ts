// For everybody: a peer over Node streams.
export { type NodeTransportOptions, nodeTransport, nodeTransportDefaults } from "./node-transport.js";
