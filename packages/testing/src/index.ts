export type { Transport } from "@acp-kit/jsonrpc";
export type { V1AgentCalls, V1ClientCalls } from "@acp-kit/protocol"; // re-exported: our signatures mention them
export type { ContentBlock, PermissionOption, SessionUpdate, StopReason } from "@acp-kit/types";
// For all tests: a clock that the test controls.
export { type Clock, createClock, type TestClock } from "./clock.js";
export { dialogue } from "./dialogue.js";
// Faults.
export type { FaultOptions, FaultReport } from "./faults/fault-options.js";
export type {
  Amount,
  Fault,
  FaultAction,
  FaultPlan,
  FaultTrigger,
  InjectedFault,
} from "./faults/fault-plan.js";
export { type FaultyTransport, faulty } from "./faults/faulty.js";
export { type FaultyByteStreams, type FaultyBytesOptions, faultyBytes } from "./faults/faulty-bytes.js";
export { forEachSeed, type SeedOptions } from "./faults/for-each-seed.js";
export type { FaultEnding } from "./faults/injector.js";
export { faultNames, type RandomPlanOptions, randomPlan } from "./faults/random-plan.js";
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
export { type MemoryPairOptions, openMemoryPair } from "./memory-pair.js";
export type { Random } from "./random.js";
export type { RawTransport } from "./raw-transport.js";
// Scripted peers.
export {
  type AgentScript,
  agentScript,
  type PlayTurn,
  type ScriptedAgent,
  type TurnEnd,
} from "./script/agent-script.js";
export { type ClientScript, clientScript, type ScriptedClient, type ScriptedDecision } from "./script/client-script.js";
export { comparableMessages } from "./script/comparable-messages.js";
export { inOrder, type OrderedResponse } from "./script/in-order.js";
export type { Later, Script, ScriptHandler, ScriptOptions } from "./script/script.js";
export type { ScriptTurn } from "./script/script-turn.js";
export {
  type HeldResponses,
  type IncomingMessage,
  type NoResponse,
  noResponse,
  type PeerEnd,
  type ScriptedPeer,
  type SendOptions,
  type WaitOptions,
} from "./script/scripted-peer.js";
export type { Seen, Side, WireMessage, WireNotification, WireRequest, WireResponse } from "./wire-message.js";
