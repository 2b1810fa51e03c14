// For applications: record a connection, and read the recording.

export type { TapEvent, Transport } from "@acp-kit/jsonrpc"; // they appear in our signatures
export type {
  LeftOutEntry,
  NoiseEntry,
  NoteEntry,
  PeerInfo,
  PeersEntry,
  ProcessEntry,
  ProcessEvent,
  Recording,
  RecordingEntry,
  RecordingHeader,
  RecordingProblem,
  Side,
  StderrEntry,
  WireMessageEntry,
} from "./format.js";
export { RECORDING_VERSION } from "./format.js";
export { RecordingReader, readRecording } from "./read-recording.js";
export { type RecordedDetails, type Recorder, type RecorderStats, recorder } from "./recorder.js";
export { type RecorderClock, type RecorderOptions, recorderDefaults } from "./recorder-options.js";
export { isRecordingError, RecordingError, type RecordingErrorCode } from "./recording-error.js";
// Replay a recording.
export { type Difference, formatDifference, formatDifferences } from "./replay/difference.js";
export type { PathMapping } from "./replay/id-map.js";
export type { Change } from "./replay/meaning.js";
export type { ReplayConnection } from "./replay/replay-connection.js";
export type { ReplayClock, ReplayOptions, ReplayReport } from "./replay/replay-options.js";
export { createReplayer, type Replayer } from "./replay/replayer.js";
export { runsOf } from "./runs.js";
export { type MemorySink, memorySink, type RecordingSink } from "./sink.js";
// Show a recording.
export { type TraceRow, Tracer, traceRows } from "./trace/trace-row.js";
export { type TracePaint, type TraceTextOptions, TraceWriter, traceText } from "./trace/trace-text.js";
