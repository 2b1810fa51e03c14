// The agent on the official SDK's version 2 as a program.
import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "sdk-2";
import { sdkAgentOfVersion2 } from "./sdk-2-v2.js";

sdkAgentOfVersion2().connect(
  ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
);
