import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isRecordingError, type Recording, readRecording } from "@acp-kit/testing/recording";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { fileReasonClause } from "../user-file.js";

/**
 * Reads a recording from a file or, if the path is `-`, from standard input.
 *
 * @throws {CommandFailure} when the file does not exist or is not a recording.
 */
export async function readFileOrInput(file: string, host: Host): Promise<Recording> {
  return readable(file, async () =>
    readRecording(file === "-" ? await inputOf(host) : await readFile(pathOf(file, host), "utf8")),
  );
}

/** Resolves a path that the user named. */
export function pathOf(file: string, host: Host): string {
  return resolve(host.cwd, file);
}

/** Runs `read`, and converts its errors to messages for the user. */
export async function readable<Result>(file: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (!isRecordingError(cause) && typeof code !== "string") throw cause;
    throw usageFailure(`Can't read ${file === "-" ? "standard input" : file}, because ${fileReasonClause(cause)}`, {
      cause,
    });
  }
}

async function inputOf({ stdin }: Host): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString("utf8");
}
