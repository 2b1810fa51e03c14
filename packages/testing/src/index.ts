export type { V1AgentCalls, V1ClientCalls } from "@acp-kit/protocol"; // re-exported: our signatures mention them
export type { CallTypes } from "@acp-kit/protocol/internal"; // the same
export type { ContentBlock, PermissionOption, SessionUpdate, StopReason } from "@acp-kit/types";
// For all tests: a clock that the test controls.
export { type Clock, createClock, type TestClock } from "./clock.js";
export { dialogue } from "./dialogue.js";
// Faults.
export type { Fault, FaultPlan, InjectedFault } from "./faults/fault-plan.js";
export { type FaultyTransport, faulty } from "./faults/faulty.js";
export { type FaultyByteStreams, faultyBytes } from "./faults/faulty-bytes.js";
export { forEachSeed } from "./faults/for-each-seed.js";
export { faultNames, randomPlan } from "./faults/random-plan.js";
export {
  allAgentCapabilities,
  allClientCapabilities,
  allowOrReject,
  messageChunk,
  plan,
  textBlock,
  thoughtChunk,
  toolCall,
} from "./fixtures.js";
export { openMemoryPair } from "./memory-pair.js";
export type { RawTransport } from "./raw-transport.js";
// Scripted peers.
export { type AgentScript, agentScript } from "./script/agent-script.js";
export { type ClientScript, clientScript, type ScriptedClient } from "./script/client-script.js";
export { comparableMessages } from "./script/comparable-messages.js";
export { inOrder } from "./script/in-order.js";
export { rawPeer } from "./script/raw-peer.js";
export type { ScriptHandler } from "./script/script.js";
export type { ScriptedAgent, ScriptTurn } from "./script/script-turn.js";
export { type HeldResponses, type IncomingMessage, noResponse, type ScriptedPeer } from "./script/scripted-peer.js";
export type { WireMessage } from "./wire-message.js";
