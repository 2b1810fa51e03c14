// Runs between client and agent, and records the connection: recording-proxy RECORDING COMMAND ARGS…
import { openRecordingFile, recordProcess } from "@acp-kit/testing/node";
import { recorder } from "@acp-kit/testing/recording";

const [file = "", command = "", ...args] = process.argv.slice(2);
const tape = recorder({ in: "between", sink: openRecordingFile(file) });
const { stdin, stdout, stderr } = process;
const { exitCode } = await recordProcess({ recorder: tape, command, args, stdin, stdout, stderr }).ended;
await tape.close();
process.exit(exitCode ?? 1);
