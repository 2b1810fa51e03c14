import { Readable, Writable } from "node:stream";
import type { Passage } from "./cable.js";

/** The sizes and delays of pieces of bytes. Both lists are repeated. */
export interface Mangling {
  /** The sizes of the pieces. */
  readonly cuts: readonly number[];
  /** The number of event-loop turns before each piece arrives. Empty: immediately. */
  readonly delays: readonly number[];
}

/** One direction of a pipe that only preserves bytes and their order. */
export function mangledPipe({ cuts, delays }: Mangling): { readonly readable: Readable; readonly writable: Writable } {
  let pieces = 0;
  const readable = new Readable({ read() {} });
  const writable = new Writable({
    async write(chunk: Buffer, _encoding, done) {
      for (let start = 0; start < chunk.length; ) {
        const size = cuts[pieces % cuts.length] ?? 1;
        const delay = delays[pieces % delays.length] ?? 0;
        pieces += 1;
        for (let n = 0; n < delay; n += 1) await new Promise((resolve) => setImmediate(resolve));
        readable.push(chunk.subarray(start, start + size));
        start += size;
      }
      done();
    },
    final(done) {
      readable.push(null);
      done();
    },
  });
  return { readable, writable };
}

/** Applies the same sizes and delays to the sockets of a cable. Each connection preserves the order of its bytes. */
export function mangled({ cuts, delays }: Mangling): Passage {
  let pieces = 0;
  const ways = new WeakMap<(bytes: Buffer) => void, Promise<void>>();
  return (bytes, pass) => {
    const way = async (): Promise<void> => {
      for (let start = 0; start < bytes.length; ) {
        const size = (cuts[pieces % cuts.length] ?? 1) * 10; // Frames and headers are many times longer than a message.
        const delay = delays[pieces % delays.length] ?? 0;
        pieces += 1;
        for (let n = 0; n < delay; n += 1) await new Promise((resolve) => setImmediate(resolve));
        pass(bytes.subarray(start, start + size));
        start += size;
      }
    };
    ways.set(pass, (ways.get(pass) ?? Promise.resolve()).then(way));
  };
}
