import { StringDecoder } from "node:string_decoder";
import { followRecordingFile } from "@acp-kit/testing/node";
import { type RecordingEntry, type RecordingProblem, RecordingReader, TraceWriter } from "@acp-kit/testing/recording";
import type { Host } from "../host.js";
import { abortable } from "../run/abortable.js";
import { pathOf, readable, readFileOrInput } from "./read-file.js";

/** Prints a recording on standard output, in the width of the terminal. Reports unreadable parts on standard error. */
export async function printTrace(file: string, follow: boolean, host: Host): Promise<void> {
  const { stdout } = host;
  const writer = new TraceWriter({ paint: stdout.colours, ...(stdout.isTerminal && { columns: stdout.columns }) });
  const print = async (entries: Iterable<RecordingEntry>): Promise<void> => {
    for (const entry of entries) {
      if (stdout.closed.aborted) return;
      stdout.write(writer.write(entry));
      await stdout.full;
    }
  };
  if (file === "-") {
    await readable(file, async () => reportProblems(await printInput(host, print), host));
  } else if (follow) {
    await readable(file, async () => {
      for await (const entry of followRecordingFile(pathOf(file, host), stdout.closed)) await print([entry]);
    });
  } else {
    const recording = await readFileOrInput(file, host);
    await print(recording.entries);
    reportProblems(recording.problems, host);
  }
}

/** Reports the unreadable parts of a recording. */
export function reportProblems(problems: readonly RecordingProblem[], { stderr }: Host): void {
  for (const { message } of problems) stderr.line(`acp-kit trace: ${message}`);
}

/** Prints each line when it arrives, because the program that writes the recording may be slow. */
async function printInput(
  { stdin, stdout }: Host,
  print: (entries: Iterable<RecordingEntry>) => Promise<void>,
): Promise<readonly RecordingProblem[]> {
  const reader = new RecordingReader();
  const decoder = new StringDecoder("utf8");
  let printed = 0;
  const chunks = stdin[Symbol.asyncIterator]();
  // The writer of the recording may be silent for ever, so this function must not wait for it when the reader of the
  // output is gone.
  const next = (): Promise<IteratorResult<unknown> | undefined> => abortable(chunks.next(), stdout.closed);
  for (let read = await next(); read?.done === false; read = await next()) {
    const entries = reader.push(decoder.write(Buffer.from(read.value as Uint8Array)));
    printed += entries.length;
    await print(entries);
  }
  if (stdout.closed.aborted) {
    stdin.destroy();
    return []; // the recording was not read to its end, so nothing is known about its end
  }
  const { entries, problems } = reader.end();
  await print(entries.slice(printed));
  return problems;
}
