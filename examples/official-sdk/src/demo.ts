// Runs each client with each agent, over pipes.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { fromMessageStream } from "@acp-kit/client";
import { spawnAgent } from "@acp-kit/stdio/node";
import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk";
import { turnOfOurClient, turnOfSdkClient } from "./order.js";
import { playWithOurClient } from "./our-client.js";
import { playWithSdkClient } from "./sdk-client.js";

const argumentsOf = (name: string): string[] => {
  return ["--import", "tsx", fileURLToPath(new URL(`./${name}.ts`, import.meta.url))];
};

/** An agent's process as a stream of the official SDK. */
function sdkStream(name: string): { child: ChildProcess; stream: Stream } {
  const child = spawn(process.execPath, argumentsOf(name), { stdio: ["pipe", "pipe", "inherit"] });
  const output = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>;
  const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
  return { child, stream: ndJsonStream(output, input) };
}

for (const name of ["sdk-agent", "our-agent"]) {
  await playWithOurClient(spawnAgent({ command: process.execPath, args: argumentsOf(name) }), name);
  console.log(`official-sdk: our client with ${name}`);

  const { child, stream } = sdkStream(name);
  await playWithSdkClient(stream, name);
  child.kill();
  console.log(`official-sdk: the SDK's client with ${name}`);
}

// #region stream
const { child, stream } = sdkStream("sdk-agent");
const transport = fromMessageStream(stream);
// #endregion stream
await playWithOurClient(transport, "sdk-agent");
child.kill();
console.log("official-sdk: our client over a stream of the SDK's");

/** Returns the lines that a turn prints. */
async function outputOf(play: (print: (line: string) => void) => Promise<void>, lines: number): Promise<string> {
  const printed: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const print = (line: string): void => {
      printed.push(line);
      if (printed.length === lines) resolve();
    };
    play(print).catch(reject);
  });
  return `${printed.join("\n")}\n`;
}

const sdk = sdkStream("sdk-agent");
const expected = (name: string): string => readFileSync(new URL(`../outputs/${name}.txt`, import.meta.url), "utf8");
const sorted = (text: string): string[] => text.split("\n").sort();
const printed = await outputOf((print) => turnOfSdkClient(sdk.stream, print), 3);
assert.deepEqual(sorted(printed), sorted(expected("sdk"))); // the order of these lines is not certain
sdk.child.kill();
const ours = sdkStream("sdk-agent");
assert.equal(await outputOf((print) => turnOfOurClient(fromMessageStream(ours.stream), print), 3), expected("acp-kit"));
ours.child.kill();
console.log("official-sdk: the end of a turn comes after its text in our client only");
