// The agent on the official SDK 2.4.0 as a program.
import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "sdk-2";
import { sdk2Agent } from "./sdk-2.js";

sdk2Agent().connect(
  ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
);
