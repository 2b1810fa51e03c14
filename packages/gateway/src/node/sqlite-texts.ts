import { crc32 } from "node:zlib";

/** A blob as libsql returns it: an `ArrayBuffer` in a list of rows. */
export type SqliteBlob = Uint8Array | ArrayBuffer;

export const bytesOf = (blob: SqliteBlob): Uint8Array => (blob instanceof ArrayBuffer ? new Uint8Array(blob) : blob);

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes a text. @throws {TypeError} if the bytes are not UTF-8. */
export const textOf = (blob: SqliteBlob): string => decoder.decode(blob);

/** @throws {TypeError} if the texts do not have this CRC-32. */
export function checkSum(texts: Uint8Array, crc: number): void {
  if (crc32(texts) !== crc) throw new TypeError("Stored texts don't have the CRC-32 that was stored with them");
}
