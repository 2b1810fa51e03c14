/** What a raw client is connected to. */
export interface RawClientIo {
  write(bytes: string | Uint8Array): void;
  end(): void;
  onData(listener: (bytes: Uint8Array) => void): void;
  onEnd(listener: () => void): void;
}

/** How a raw client differs from the right one. */
export interface RawClientOptions {
  readonly cwd: string;
  /** The one thing that it does wrong. */
  readonly wrong?: string | undefined;
  readonly capabilities?: object | undefined;
  readonly turns?: number | undefined;
  readonly prompt?: string | undefined;
}

/** A client that can be typed to. */
export class RawClient {
  constructor(io: RawClientIo, options: RawClientOptions, exit: (code: number) => void);
  start(): void;
  /** What the person at the keyboard types: "cancel", or nothing that matters. */
  typed(text: string): void;
  leave(code: number): void;
}
