// Recordings: files, an agent that is recorded, a process between client and agent.
export {
  type RecordedExit,
  type RecordedProcess,
  type RecordProcessOptions,
  recordProcess,
  recordProcessDefaults,
} from "./recording/record-process.js";
export {
  openRecordingFile,
  type RecordingFile,
  type RecordingFileOptions,
  readRecordingFile,
} from "./recording/recording-file.js";
export { spawnRecordedAgent } from "./recording/spawn-recorded-agent.js";
