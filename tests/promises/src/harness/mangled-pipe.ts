import { Readable, Writable } from "node:stream";
import type { Passage } from "./cable.js";

/** How bytes are cut and delayed on their way: both lists are gone through again and again. */
export interface Mangling {
  /** Sizes of the pieces that arrive. */
  readonly cuts: readonly number[];
  /** Turns of the event loop that each piece takes; none: it arrives at once. */
  readonly delays: readonly number[];
}

/** One direction of a pipe that keeps bytes and order, and nothing else. */
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

/** The same for the sockets of a cable; each connection has its own order. */
export function mangled({ cuts, delays }: Mangling): Passage {
  let pieces = 0;
  const ways = new WeakMap<(bytes: Buffer) => void, Promise<void>>();
  return (bytes, pass) => {
    const way = async (): Promise<void> => {
      for (let start = 0; start < bytes.length; ) {
        const size = (cuts[pieces % cuts.length] ?? 1) * 10; // frames and headers are many times the size of a message
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
