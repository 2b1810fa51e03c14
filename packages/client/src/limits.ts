/** The limits of each buffer of updates: of the early updates, and of each session and turn before it is read. */
export interface BufferLimits {
  readonly maxBufferedUpdates: number;
  /** The bytes of the updates, because a few updates can be large. */
  readonly maxBufferedBytes: number;
}

/** The limits of every client. Only tests use others. */
export const bufferLimits: BufferLimits = { maxBufferedUpdates: 10_000, maxBufferedBytes: 16_777_216 };
