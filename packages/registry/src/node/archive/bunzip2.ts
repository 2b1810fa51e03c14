import { setImmediate } from "node:timers/promises";

/** The number of bytes that are decoded without a turn of the event loop. */
const CHUNK = 65_536;

/** The tables of one block: the symbols and the largest code of each length. */
interface Codes {
  readonly shortest: number;
  readonly longest: number;
  readonly limits: Int32Array;
  readonly bases: Int32Array;
  readonly symbols: Uint16Array;
}

/**
 * Decompresses bzip2, also of several joined streams, in chunks of at most 64 KiB. The memory is bounded: a block of a
 * few bytes can contain 46 MB, which are never in memory together. Bytes after the last stream are ignored.
 *
 * @throws {Error} if the data is damaged or incomplete.
 */
export async function* bunzip2(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const bits = new BitReader(source[Symbol.asyncIterator]());
  const memory = new Uint32Array(900_000);
  for (let isFirst = true; ; isFirst = false) {
    await bits.fill();
    const level = isFirst || bits.startsWith("BZh") ? streamLevel(bits) : undefined;
    if (level === undefined) return;
    const block = memory.subarray(0, level * 100_000);
    for (let checksum = 0; ; ) {
      await bits.fill();
      const magic = [bits.read(24), bits.read(24)].map((half) => half.toString(16)).join();
      const expected = bits.read(32);
      if (magic === "177245,385090") {
        if (expected !== checksum >>> 0) throw new Error("the checksum of the bzip2 stream does not match");
        bits.align();
        break;
      }
      if (magic !== "314159,265359") throw new Error("a bzip2 block has no beginning");
      if (bits.read(1) === 1) throw new Error("the bzip2 block is of an unsupported version");
      const first = bits.read(24);
      const length = readBlock(bits, block);
      if (first >= length) throw new Error("a bzip2 block begins outside of its data");
      const crc = new Crc();
      for (const chunk of textOf(block, first, length)) {
        crc.add(chunk);
        yield chunk;
        await setImmediate();
      }
      if (crc.value !== expected) throw new Error("the checksum of a bzip2 block does not match");
      checksum = ((checksum << 1) | (checksum >>> 31)) ^ crc.value;
    }
  }
}

/** Returns the size of the blocks of a stream, in units of 100,000 bytes. */
function streamLevel(bits: BitReader): number {
  const level = bits.read(24) === 0x425a68 ? bits.read(8) - 0x30 : 0;
  if (level < 1 || level > 9) throw new Error("the data is not bzip2");
  return level;
}

/** Reads a block's bytes into the low 8 bits of `block`, and their order into the others. Returns their number. */
function readBlock(bits: BitReader, block: Uint32Array): number {
  const used = readUsedBytes(bits);
  const groups = bits.read(3);
  if (groups < 2 || groups > 6) throw new Error("a bzip2 block has a wrong number of tables");
  const selectors = readSelectors(bits, groups);
  const endOfBlock = used.length + 1;
  const tables = Array.from({ length: groups }, () => readCodes(bits, endOfBlock + 1));

  const counts = new Uint32Array(256);
  let length = 0;
  let run = 0;
  let runBit = 1;
  const append = (byte: number, times: number): void => {
    if (length + times > block.length) throw new Error("a bzip2 block is longer than its stream allows");
    block.fill(byte, length, length + times);
    length += times;
    counts[byte] = (counts[byte] as number) + times;
  };
  for (let position = 0; ; position += 1) {
    const table = tables[selectors[Math.floor(position / 50)] ?? -1];
    if (table === undefined) throw new Error("a bzip2 block has too few tables");
    const symbol = readSymbol(bits, table);
    if (symbol <= 1) {
      run += runBit << symbol;
      runBit *= 2;
      if (run > block.length) throw new Error("a bzip2 block is longer than its stream allows");
      continue;
    }
    if (run > 0) append(used[0] as number, run);
    run = 0;
    runBit = 1;
    if (symbol === endOfBlock) break;
    const byte = used[symbol - 1] as number;
    used.copyWithin(1, 0, symbol - 1);
    used[0] = byte;
    append(byte, 1);
  }
  let start = 0;
  for (let byte = 0; byte < 256; byte += 1) {
    const count = counts[byte] as number;
    counts[byte] = start;
    start += count;
  }
  for (let index = 0; index < length; index += 1) {
    const byte = (block[index] as number) & 0xff;
    const at = counts[byte] as number;
    counts[byte] = at + 1;
    block[at] = (block[at] as number) | (index << 8);
  }
  return length;
}

function readUsedBytes(bits: BitReader): Uint8Array {
  const rows = bits.read(16);
  const used: number[] = [];
  for (let row = 0; row < 16; row += 1) {
    if (((rows >> (15 - row)) & 1) === 0) continue;
    const columns = bits.read(16);
    for (let column = 0; column < 16; column += 1)
      if (((columns >> (15 - column)) & 1) === 1) used.push(row * 16 + column);
  }
  if (used.length === 0) throw new Error("a bzip2 block has no bytes");
  return Uint8Array.from(used);
}

function readSelectors(bits: BitReader, groups: number): Uint8Array {
  const selectors = new Uint8Array(bits.read(15));
  const recent = Array.from({ length: groups }, (_, group) => group);
  for (let index = 0; index < selectors.length; index += 1) {
    let place = 0;
    while (bits.read(1) === 1) place += 1;
    const [group] = recent.splice(place, 1);
    if (group === undefined) throw new Error("a bzip2 block names a table that it does not have");
    recent.unshift(group);
    selectors[index] = group;
  }
  return selectors;
}

const MAX_CODE_BITS = 20;

/** Reads the lengths of the codes of all symbols, and builds the table that decodes them. */
function readCodes(bits: BitReader, count: number): Codes {
  const lengths = new Uint8Array(count);
  let length = bits.read(5);
  for (let symbol = 0; symbol < count; symbol += 1) {
    while (bits.read(1) === 1) {
      length += bits.read(1) === 1 ? -1 : 1;
      if (length < 1 || length > MAX_CODE_BITS) break;
    }
    if (length < 1 || length > MAX_CODE_BITS) throw new Error("a bzip2 block has a code of a wrong length");
    lengths[symbol] = length;
  }
  const shortest = Math.min(...lengths);
  const longest = Math.max(...lengths);
  const symbols = new Uint16Array(count);
  const limits = new Int32Array(MAX_CODE_BITS + 1);
  const bases = new Int32Array(MAX_CODE_BITS + 1);
  for (let bit = shortest, code = 0, place = 0; bit <= longest; bit += 1) {
    bases[bit] = place - code;
    for (let symbol = 0; symbol < count; symbol += 1) {
      if (lengths[symbol] !== bit) continue;
      symbols[place] = symbol;
      place += 1;
      code += 1;
    }
    limits[bit] = code - 1;
    code *= 2;
  }
  return { shortest, longest, limits, bases, symbols };
}

function readSymbol(bits: BitReader, { shortest, longest, limits, bases, symbols }: Codes): number {
  let code = bits.read(shortest);
  for (let bit = shortest; bit <= longest; bit += 1) {
    if (code <= (limits[bit] as number)) {
      const symbol = symbols[code + (bases[bit] as number)];
      if (symbol !== undefined) return symbol;
      break;
    }
    code = (code << 1) | bits.read(1);
  }
  throw new Error("a bzip2 block has an unknown code");
}

/** Returns the bytes of a block in their order. After four equal bytes, a byte says how many more of them follow. */
function* textOf(block: Uint32Array, first: number, length: number): Generator<Buffer> {
  let next = block[first] as number;
  let chunk = Buffer.allocUnsafe(CHUNK);
  let filled = 0;
  let equal = 0;
  let previous = -1;
  for (let left = length; left > 0; left -= 1) {
    next = block[next >>> 8] as number;
    const byte = next & 0xff;
    const isCount = equal === 4;
    const times = isCount ? byte : 1;
    if (filled + times > CHUNK) {
      yield chunk.subarray(0, filled);
      chunk = Buffer.allocUnsafe(CHUNK);
      filled = 0;
    }
    chunk.fill(isCount ? previous : byte, filled, filled + times);
    filled += times;
    equal = isCount ? 0 : byte === previous ? equal + 1 : 1;
    previous = isCount ? -1 : byte;
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}

/** Reads bits of a stream of bytes, the highest bit of each byte first. */
class BitReader {
  readonly #source: AsyncIterator<Buffer>;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #bit = 0;
  #isOver = false;

  constructor(source: AsyncIterator<Buffer>) {
    this.#source = source;
  }

  /** Reads so many bytes of the source that a block is complete. */
  async fill(): Promise<void> {
    let size = this.#bytes.length - this.#at;
    if (this.#isOver || size >= MAX_BLOCK_BYTES) return;
    const parts = [this.#bytes.subarray(this.#at)];
    // Twice as many, so that each byte is copied only once or twice however small the blocks are.
    while (size < 2 * MAX_BLOCK_BYTES) {
      const { done, value } = await this.#source.next();
      if (done) {
        this.#isOver = true;
        break;
      }
      parts.push(value);
      size += value.length;
    }
    this.#bytes = Buffer.concat(parts);
    this.#at = 0;
  }

  read(count: number): number {
    let value = 0;
    for (let left = count; left > 0; ) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new Error("the bzip2 data ends too early");
      const taken = Math.min(left, 8 - this.#bit);
      value = (value << taken) | ((byte >> (8 - this.#bit - taken)) & (0xff >> (8 - taken)));
      this.#bit += taken;
      left -= taken;
      if (this.#bit < 8) continue;
      this.#bit = 0;
      this.#at += 1;
    }
    return value >>> 0;
  }

  /** Leaves out the rest of a byte of which some bits were read. */
  align(): void {
    if (this.#bit > 0) this.#at += 1;
    this.#bit = 0;
  }

  startsWith(text: string): boolean {
    return this.#bytes.toString("latin1", this.#at, this.#at + text.length) === text;
  }
}

/** The maximum size of a block in the archive: 900,000 symbols of 20 bits, and its tables. */
const MAX_BLOCK_BYTES = 2_400_000;

/** The checksum of bzip2: a CRC-32 whose highest bit comes first. */
class Crc {
  #value = -1;

  get value(): number {
    return ~this.#value >>> 0;
  }

  add(bytes: Buffer): void {
    let value = this.#value;
    for (const byte of bytes) value = (value << 8) ^ (crcTable[(value >>> 24) ^ byte] as number);
    this.#value = value;
  }
}

const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value;
});
