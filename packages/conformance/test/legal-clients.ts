// biome-ignore lint/suspicious/noExplicitAny: messages of any shape
type Message = Record<string, any>;

/** A client with unusual but legal messages. It must fail no mandatory or capability rule. */
export interface LegalClient {
  /** The client's behaviour, as the end of the sentence "a client that …". */
  readonly habit: string;
  /** Returns the text that the client writes instead of a message. */
  readonly write: (message: Message) => string;
}

const line = (message: Message): string => `${JSON.stringify(message)}\n`;
const meta = { "example.com/x": [null, { y: 1 }] };

/** Returns a copy of a message whose params or result have more members. */
const withMembers = (message: Message, members: (content: Message, method: string | undefined) => Message): Message =>
  Object.fromEntries(
    Object.entries(message).map(([name, value]) =>
      (name === "params" || name === "result") && typeof value === "object" && value !== null && !Array.isArray(value)
        ? [name, { ...value, ...members(value, message.method) }]
        : [name, value],
    ),
  );

export const legalClients: readonly LegalClient[] = [
  {
    habit: "writes its members in another order, with spaces and escapes",
    write: (message) =>
      `  ${JSON.stringify(Object.fromEntries(Object.entries(message).reverse()), undefined, 1)
        .replaceAll("\n", " ")
        .replaceAll("/", "\\/")} \n`,
  },
  {
    habit: "puts _meta into every params and result",
    write: (message) => line(withMembers(message, () => ({ _meta: meta }))),
  },
  { habit: "writes null for _meta", write: (message) => line(withMembers(message, () => ({ _meta: null }))) },
  {
    habit: "writes null for optional members of its requests",
    write: (message) =>
      line(
        withMembers(message, (params, method) => {
          if (method === "session/list") return { cwd: params.cwd ?? null, cursor: params.cursor ?? null };
          if (method !== "initialize") return {};
          return {
            clientInfo: params.clientInfo && { ...params.clientInfo, title: null },
            clientCapabilities: { elicitation: null, session: null, ...params.clientCapabilities, _meta: null },
          };
        }),
      ),
  },
  {
    habit: "sends notifications of extensions between all messages",
    write: (message) =>
      message.method === "initialize"
        ? line(message)
        : `${line({ jsonrpc: "2.0", method: "_example.com/before" })}${line(message)}${line({ jsonrpc: "2.0", method: "$/progress", params: { value: 1 } })}`,
  },
];
