// For everybody: test a peer.
export { type TestAgentOptions, testAgent } from "./test-agent.js";
