// Runs scripted and faulty peers as processes, reads and writes recording files, and records the messages between a
// client and an agent process.

export type { AgentProcess } from "@acp-kit/stdio/node"; // the type that spawnRecordedAgent() returns
export type { Recording, RecordingEntry } from "../recording/format.js"; // the type that the readers return
export type { AgentScript } from "../script/agent-script.js"; // the type that runScript() takes
export type { ClientScript } from "../script/client-script.js";
export { type FaultyProcessOptions, faultyArguments, faultyCommand, readFaultyArguments } from "./faulty-arguments.js";
export { type RawNodeTransportOptions, rawNodeTransport } from "./raw-node-transport.js";
export { followRecordingFile } from "./recording/follow-recording.js";
export {
  type RecordedExit,
  type RecordedProcess,
  type RecordProcessOptions,
  recordProcess,
} from "./recording/record-process.js";
export {
  openRecordingFile,
  type RecordingFile,
  type RecordingFileOptions,
  readRecordingFile,
} from "./recording/recording-file.js";
export { spawnRecordedAgent } from "./recording/spawn-recorded-agent.js";
export { runFaulty } from "./run-faulty.js";
export { runScript, type ScriptCommandOptions, scriptCommand } from "./run-script.js";
export { type PeerExit, type PeerProcess, type SpawnPeerOptions, spawnPeer } from "./spawn-peer.js";
