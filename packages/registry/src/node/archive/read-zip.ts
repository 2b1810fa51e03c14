import { pipeline, type Readable, Transform } from "node:stream";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { isRegistryError, RegistryError } from "../errors.js";
import type { ArchiveEntry, EntryHandler } from "./archive-entry.js";
import { maxTargetLength } from "./archive-writer.js";

const open = promisify<string, yauzl.Options, ZipFile>(yauzl.open);

const fileType = 0o170000;
const isEncrypted = 0x1;

/**
 * Reads a zip archive by its central directory, entry by entry. Compares the declared sizes and checksums with those of
 * the unpacked bytes.
 *
 * @throws {RegistryError} `bad_archive`, `unsafe_archive`, `too_large`. Rejects with the errors of the handler.
 */
export async function readZip(file: string, maxEntries: number, handle: EntryHandler): Promise<void> {
  // The option `strictFileNames` is not set: `entryPath` refuses unsafe names of all formats, with the same messages.
  const options = {
    lazyEntries: true,
    autoClose: false,
    decodeStrings: true,
    validateEntrySizes: true,
    strictFileNames: false,
  };
  const zip = await open(file, options).catch((error: unknown) => {
    throw badArchive(error);
  });
  try {
    if (zip.entryCount > maxEntries)
      throw new RegistryError("too_large", `The archive has more than ${maxEntries} entries.`);
    for (;;) {
      const entry = await nextEntry(zip);
      if (entry === undefined) return;
      const described = await describe(zip, entry);
      try {
        await handle(described);
      } finally {
        if (described.type === "file") described.content.destroy(); // an unread stream would keep the archive open
      }
    }
  } finally {
    zip.close();
  }
}

function nextEntry(zip: ZipFile): Promise<Entry | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void): void => {
      zip.removeListener("entry", onEntry);
      zip.removeListener("end", onEnd);
      zip.removeListener("error", onError);
      outcome();
    };
    const onEntry = (entry: Entry): void => settle(() => resolve(entry));
    const onEnd = (): void => settle(() => resolve(undefined));
    const onError = (error: unknown): void => settle(() => reject(unsafeName(error) ?? badArchive(error)));
    zip.on("entry", onEntry);
    zip.on("end", onEnd);
    zip.on("error", onError);
    zip.readEntry();
  });
}

async function describe(zip: ZipFile, entry: Entry): Promise<ArchiveEntry> {
  const { fileName: name } = entry;
  if ((entry.generalPurposeBitFlag & isEncrypted) !== 0) {
    throw new RegistryError("bad_archive", `The archive has an encrypted entry ${JSON.stringify(name.slice(0, 200))}.`);
  }
  // The upper half has the mode bits if the archive was created on Unix, otherwise 0.
  const mode = entry.externalFileAttributes >>> 16;
  const type = mode & fileType;
  if (name.endsWith("/") || type === 0o040000) return { type: "directory", name };
  if (type === 0o120000) return { type: "symlink", name, target: await readTarget(zip, entry) };
  if (type !== 0 && type !== 0o100000) {
    throw new RegistryError(
      "unsafe_archive",
      `The archive has an entry ${JSON.stringify(name.slice(0, 200))} of an unsupported type. Only files, folders and links are allowed. The archive is not used.`,
    );
  }
  return { type: "file", name, isExecutable: (mode & 0o111) !== 0, content: await openEntry(zip, entry) };
}

async function readTarget(zip: ZipFile, entry: Entry): Promise<string> {
  if (entry.uncompressedSize > maxTargetLength) {
    throw new RegistryError(
      "unsafe_archive",
      `The archive has a link with a target of more than ${maxTargetLength} bytes. The archive is not used.`,
    );
  }
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of await openEntry(zip, entry)) chunks.push(chunk as Buffer);
  } catch (error) {
    throw isRegistryError(error) ? error : badArchive(error);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return await new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) return reject(badArchive(error));
      // The reader also gets an error that occurs before its first read
      resolve(pipeline(stream, checksumOf(entry), () => {}));
    });
  });
}

/** Passes an entry's bytes on, and fails if their checksum is wrong, which `yauzl` does not compare. */
function checksumOf({ fileName, crc32: expected }: Entry): Transform {
  let actual = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      actual = crc32(chunk, actual);
      done(null, chunk);
    },
    flush(done) {
      if (actual === expected) return done();
      const name = JSON.stringify(fileName.slice(0, 200));
      done(badArchive(new Error(`the bytes of ${name} do not match their checksum`)));
    },
  });
}

/** Returns the error for a name that `yauzl` itself refuses; `undefined` for any other error. */
function unsafeName(error: unknown): RegistryError | undefined {
  const { message } = error as Error;
  if (!/absolute path|invalid relative path|invalid characters/.test(message)) return undefined;
  return new RegistryError(
    "unsafe_archive",
    `The archive has an entry outside its folder (${message}). The archive is not used.`,
    {
      cause: error,
    },
  );
}

function badArchive(cause: unknown): RegistryError {
  return new RegistryError("bad_archive", `The archive is damaged or incomplete: ${(cause as Error).message}.`, {
    cause,
  });
}
