import { spawn } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { checkOptions } from "@acp-kit/jsonrpc/internal";
import type { ByteStreams } from "@acp-kit/stdio";
import { describeFault } from "../faults/describe-faults.js";
import type { InjectedFault } from "../faults/fault-plan.js";
import { type FaultyByteStreams, faultyBytes } from "../faults/faulty-bytes.js";
import type { FaultEnding } from "../faults/injector.js";
import { type FaultyProcessOptions, faultyProcessKinds } from "./faulty-arguments.js";
import { closeStdout } from "./raw-node-transport.js";

/**
 * Turns this process into a faulty agent: starts the command, connects its standard streams to those of this process,
 * and injects faults. The function never returns: the process exits in the same way as the agent, or as a fault
 * defines. Each fault is reported on standard error, and in the report file.
 */
export async function runFaulty(options: FaultyProcessOptions): Promise<never> {
  checkOptions("runFaulty", options, faultyProcessKinds);
  const { command, args = [], plan = [], seed = 1, report } = options;
  const tell = (line: string): void => void process.stderr.write(`acp-faulty: ${line}\n`);
  tell(`seed ${JSON.stringify(seed)}, plan ${JSON.stringify(plan)}`);
  try {
    if (report !== undefined) writeFileSync(report, "");
  } catch (error) {
    tell(`Can't write the report ${report}: ${(error as Error).message}`);
    process.exit(2);
  }
  const onFault = (fault: InjectedFault): void => {
    tell(describeFault(fault));
    if (report !== undefined) appendFileSync(report, `${JSON.stringify(fault)}\n`);
  };

  // The agent stays in the process group of this process, so that a signal to the group ends both.
  const agent = spawn(command, [...args], { stdio: ["pipe", "pipe", "inherit"] });
  const exit = new Promise<number | NodeJS.Signals>((resolve) => {
    agent.once("exit", (code, signal) => resolve(code ?? signal ?? 1));
    agent.once("error", (error) => {
      tell(error.message);
      resolve(127);
    });
  });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => agent.kill(signal));
  agent.stdin.on("error", () => {}); // the event `exit` reports the end of the agent

  const onEnding = ({ how, exitCode = 0 }: FaultEnding): void => {
    agent.kill("SIGKILL");
    if (how === "breaks") end("SIGKILL");
    else void written.then(() => end(exitCode));
  };
  const streams = faultyBytes(
    {
      readable: Readable.toWeb(agent.stdout) as ByteStreams["readable"],
      writable: Writable.toWeb(agent.stdin) as ByteStreams["writable"],
    },
    plan,
    { seed, onFault, onEnding },
  );
  readInput(streams);
  const written = writeOutput(streams);
  const result = await exit;
  await Promise.race([written, new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS))]);
  return end(result);
}

/** The milliseconds that an exited agent's output may stay open, because another process may hold it. */
const LAST_WORDS_MS = 5_000;

function readInput({ writable }: FaultyByteStreams): void {
  const writer = writable.getWriter();
  writer.closed.catch(() => {});
  process.stdin
    .on("data", (chunk: Buffer) => {
      process.stdin.pause();
      writer.write(new Uint8Array(chunk)).then(
        () => process.stdin.resume(),
        () => process.stdin.resume(),
      );
    })
    .on("end", () => void writer.close().catch(() => {}))
    .on("error", () => void writer.close().catch(() => {}));
}

/** Writes each chunk with a pause after it, so that the client usually receives it alone; closes the output. */
async function writeOutput({ readable }: FaultyByteStreams): Promise<void> {
  process.stdout.on("error", () => {}); // the client has closed the pipe; the end of the input reports the disconnect
  try {
    for await (const chunk of readable) {
      await new Promise<void>((resolve) => void process.stdout.write(chunk, () => resolve()));
      await new Promise((resolve) => setImmediate(resolve));
    }
  } catch {
    // A fault has broken the stream. It was reported when it happened.
  }
  closeStdout();
}

/** Ends this process with the agent's exit code or signal. */
function end(how: number | NodeJS.Signals): never {
  if (typeof how === "string") {
    process.removeAllListeners(how);
    process.kill(process.pid, how);
  }
  return process.exit(typeof how === "number" ? how : 1);
}
