import { Readable, Writable } from "node:stream";

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
