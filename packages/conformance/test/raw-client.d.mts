/** The connection of a raw client to its agent. */
export interface RawClientIo {
  write(bytes: string | Uint8Array): void;
  end(): void;
  onData(listener: (bytes: Uint8Array) => void): void;
  onEnd(listener: () => void): void;
}

/** Options that make a raw client differ from a correct client. */
export interface RawClientOptions {
  readonly cwd: string;
  /** The name of the one mistake that the client makes. */
  readonly wrong?: string | undefined;
  readonly capabilities?: object | undefined;
  readonly turns?: number | undefined;
  readonly prompt?: string | undefined;
  /** The folder of another session, which the client opens before its first prompt and never uses. */
  readonly otherCwd?: string | undefined;
}

/** A client whose user can type text. */
export class RawClient {
  constructor(io: RawClientIo, options: RawClientOptions, exit: (code: number) => void);
  start(): void;
  /** Handles text that the user types. The text "cancel" cancels the turn; the client ignores any other text. */
  typed(text: string): void;
  leave(code: number): void;
}
