import type { NotificationMessage } from "./message.js";

/**
 * A JSON value that the sender has as text already, for example because the text is stored. {@link Connection.notify}
 * accepts it as params: a transport of bytes sends the text as it is, without serializing the value again.
 */
export class JsonText {
  /** The JSON text of the value, on one line. */
  readonly text: string;
  readonly #read: (() => unknown) | undefined;
  #value: unknown;

  /**
   * @param text JSON on one line. The constructor does not check this.
   * @param read returns the value of the text. By default, the text is parsed. It is called only if something needs the
   * value: a tap, or a transport that sends values.
   */
  constructor(text: string, read?: () => unknown) {
    this.text = text;
    this.#read = read;
  }

  /** The value of the text. Don't change it. */
  get value(): unknown {
    this.#value ??= this.#read === undefined ? JSON.parse(this.text) : this.#read();
    return this.#value;
  }

  toJSON(): unknown {
    return this.value;
  }
}

/** A notification whose params are a {@link JsonText}. Its members are those of any other notification. */
export class TextNotification implements NotificationMessage {
  readonly jsonrpc = "2.0";
  readonly method: string;
  readonly #params: JsonText;

  constructor(method: string, params: JsonText) {
    this.method = method;
    this.#params = params;
  }

  get params(): unknown {
    return this.#params.value;
  }

  /** The JSON text of the message. */
  get text(): string {
    return `{"jsonrpc":"2.0","method":${JSON.stringify(this.method)},"params":${this.#params.text}}`;
  }

  toJSON(): NotificationMessage {
    const { jsonrpc, method, params } = this;
    return { jsonrpc, method, params };
  }
}
