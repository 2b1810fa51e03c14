import { PassThrough, type Readable } from "node:stream";
import { Parser, type ReadEntry } from "tar";
import { isRegistryError, RegistryError } from "../errors.js";
import type { ArchiveEntry, EntryHandler } from "./archive-entry.js";

/** Maximum size of the headers of one entry, such as long names, in bytes. */
const maxHeaderBytes = 1_048_576;

/**
 * Reads an uncompressed tar archive, entry by entry.
 *
 * Uses only the parser of the package `tar`. The extractor of that package skips or repairs unsafe entries and
 * continues, but an archive with an unsafe entry must not be used at all.
 *
 * @throws {RegistryError} `bad_archive`, `unsafe_archive`, `too_large` for a header. Rejects with the errors of the
 * source and of the handler.
 */
export async function readTar(source: Readable, handle: EntryHandler): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  let queue = Promise.resolve();
  let hasEntries = false;
  let isOver = false;
  let current: ArchiveEntry | undefined;
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const fail = (error: unknown): void => {
    failure ??= { error };
    if (current?.type === "file") current.content.destroy(); // otherwise the reader of the content would wait forever
    stop();
  };
  const parser = new Parser({
    strict: true,
    maxMetaEntrySize: maxHeaderBytes,
    gzip: false,
    brotli: false,
    onReadEntry(entry: ReadEntry) {
      hasEntries = true;
      // The parser waits until the content of this entry was read. Then it continues with the next entry.
      queue = queue.then(async () => {
        if (failure !== undefined) return void entry.resume();
        try {
          current = describe(entry);
          await handle(current);
          if (current.type !== "file") entry.resume();
        } catch (error) {
          fail(error);
          entry.resume();
        }
      });
    },
  } as ConstructorParameters<typeof Parser>[0]);
  parser.on("ignoredEntry", (entry: ReadEntry) => fail(unreadable(entry)));
  parser.on("error", (error: unknown) => fail(badArchive(error)));
  parser.on("eof", () => {
    isOver = true;
  });
  parser.on("end", stop);
  parser.on("close", stop);
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      if (failure !== undefined) break;
      // The parser keeps everything that follows the end of the archive, and copies it with each chunk. It is read
      // because the checksum comes last.
      if (isOver) continue;
      if (!parser.write(chunk)) await Promise.race([drained(parser), stopped]);
    }
  } catch (error) {
    fail(isRegistryError(error) ? error : badArchive(error)); // another error comes from the decompression
  }
  if (failure === undefined) {
    parser.end();
    await stopped;
  } else parser.abort(new Error("stopped"));
  await queue;
  source.destroy();
  if (failure !== undefined) throw failure.error;
  if (!hasEntries) throw new RegistryError("bad_archive", "The archive is empty, or is not a tar archive.");
}

function drained(parser: Parser): Promise<void> {
  return new Promise((resolve) => void parser.once("drain", () => resolve()));
}

function describe(entry: ReadEntry): ArchiveEntry {
  const { path: name, linkpath: target = "", mode = 0 } = entry;
  switch (entry.type) {
    case "Directory":
    case "GNUDumpDir":
      return { type: "directory", name };
    case "File":
    case "OldFile":
    case "ContiguousFile": {
      const content = new PassThrough();
      entry.on("error", (error: unknown) => content.destroy(error as Error));
      entry.pipe(content as unknown as Parameters<typeof entry.pipe>[0]);
      return { type: "file", name, isExecutable: (mode & 0o111) !== 0, content };
    }
    case "SymbolicLink":
      return { type: "symlink", name, target };
    case "Link":
      return { type: "hardlink", name, target };
    default:
      throw ofOtherType(entry);
  }
}

function ofOtherType({ path, type }: ReadEntry): RegistryError {
  return new RegistryError(
    "unsafe_archive",
    `The archive has an entry ${JSON.stringify(path.slice(0, 200))} of the type ${type}. Only files, folders and links are allowed. The archive is not used.`,
  );
}

/** Returns the error for an entry that the parser leaves out: a file would be missing, or misnamed. */
function unreadable(entry: ReadEntry): RegistryError {
  if (!entry.meta) return ofOtherType(entry);
  return new RegistryError(
    "too_large",
    `The archive has a header of ${entry.size} bytes, more than the maximum of ${maxHeaderBytes}. The archive is not used.`,
  );
}

function badArchive(cause: unknown): RegistryError {
  return new RegistryError("bad_archive", `The archive is damaged or incomplete: ${(cause as Error).message}.`, {
    cause,
  });
}
