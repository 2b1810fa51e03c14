import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { PassThrough, type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { RegistryError } from "../errors.js";
import type { ArchiveKind } from "./archive-kind.js";
import { type ArchiveLimits, mostContent } from "./archive-limits.js";
import { ArchiveWriter } from "./archive-writer.js";
import { bunzip2 } from "./bunzip2.js";
import { readTar } from "./read-tar.js";
import { readZip } from "./read-zip.js";

/** Maximum size of the headers and the padding of one tar entry, in bytes. */
const tarOverheadBytes = 4_096;

/**
 * Unpacks an archive into an empty folder.
 *
 * @throws {RegistryError} `unsafe_archive`, `bad_archive`, `too_large`, `disk_full`. Rejects with the reason of an
 * aborted signal. The folder then contains a part of the archive; the caller removes it.
 */
export async function unpack(
  file: string,
  kind: Exclude<ArchiveKind, "program">,
  folder: string,
  limits: ArchiveLimits,
  signal?: AbortSignal,
): Promise<void> {
  const most = mostContent((await stat(file)).size);
  const maxUnpackedBytes = Math.min(limits.maxUnpackedBytes, most);
  const writer = new ArchiveWriter(folder, { ...limits, maxUnpackedBytes }, signal);
  const write = async (entry: Parameters<typeof writer.write>[0]): Promise<void> => {
    try {
      await writer.write(entry);
    } catch (error) {
      signal?.throwIfAborted();
      throw isOfDecoder(error) ? badArchive(error) : error;
    }
  };
  if (kind === "zip") await readZip(file, limits.maxEntries, write);
  else {
    const overhead = Math.min(limits.maxEntries, 1_000_000) * tarOverheadBytes;
    await unpackTar(file, kind, Math.min(limits.maxUnpackedBytes + overhead, most), write);
  }
  await writer.finish();
}

async function unpackTar(
  file: string,
  kind: ArchiveKind,
  maxBytes: number,
  write: Parameters<typeof readTar>[1],
): Promise<void> {
  const source = createReadStream(file);
  const tar = new PassThrough();
  const bounded = boundedTo(maxBytes);
  const rest = [bounded, tar] as const;
  const decoding =
    kind === "tar.bz2"
      ? pipeline(source, bunzip2, ...rest)
      : pipeline([source, ...(kind === "tar.gz" ? [createGunzip()] : []), ...rest]);
  const decoded = decoding.catch((error: unknown) => {
    // The reader of the stream gets this error, if it is still reading.
    tar.destroy(error instanceof RegistryError ? error : badArchive(error));
  });
  try {
    await readTar(tar as Readable, write);
  } finally {
    tar.destroy();
    await decoded;
  }
}

/** Limits the decompressed size, including headers, because headers can also be so large that they exhaust memory. */
function boundedTo(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= maxBytes) done(null, chunk);
      else done(new RegistryError("too_large", `The archive unpacks to more than ${maxBytes} bytes.`));
    },
  });
}

/** Whether an error comes from a decoder: it has no code, or one that begins with `Z_` or `TAR_`. */
function isOfDecoder(error: unknown): boolean {
  if (error instanceof RegistryError || !(error instanceof Error)) return false;
  const { code = "" } = error as NodeJS.ErrnoException;
  return code === "" || code.startsWith("Z_") || code.startsWith("TAR_");
}

function badArchive(cause: unknown): RegistryError {
  return new RegistryError("bad_archive", `The archive is damaged or incomplete: ${(cause as Error).message}.`, {
    cause,
  });
}
