import { crc32, deflateRawSync } from "node:zlib";

/** An entry of an archive that a test creates byte by byte, because libraries refuse to write malicious entries. */
export interface ZipEntry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** The mode of a Unix file, with its type. */
  readonly mode?: number;
  /** The size in the headers, if it differs from the size of the content. */
  readonly size?: number;
  /** The bytes from which the checksum in the headers is computed, if they differ from the content. */
  readonly checksumOf?: string | Uint8Array;
}

/** Creates a zip archive. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { name, content = "", mode = 0o100644, size, checksumOf = content } = entry;
    const raw = Buffer.from(content);
    const data = deflateRawSync(raw);
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2); // names are UTF-8
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(checksum(Buffer.from(checksumOf)), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(size ?? raw.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, nameBytes, data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x03", "latin1"), common, rest, nameBytes]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

function checksum(data: Buffer): number {
  return crc32?.(data) ?? plainCrc32(data);
}

/** Computes a checksum in Node 20.0 to 20.14, whose zlib has no `crc32`. */
function plainCrc32(data: Buffer): number {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
