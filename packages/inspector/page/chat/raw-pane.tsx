import { plainLine } from "@acp-kit/react";
import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import { ProtocolSchema } from "../model/method-schema.js";
import { useInspected } from "../parts/context.js";

/** Composes any message, with completion from the schema, and shows its schema violations before it is sent. */
export function RawPane(props: {
  readonly sessionId?: string;
  /** The version of the protocol that the agent has chosen. */
  readonly protocolVersion: 1 | 2;
}): ReactElement {
  const { sessionId, protocolVersion } = props;
  const { link } = useInspected();
  const [schema, setSchema] = useState<ProtocolSchema>();
  const [method, setMethod] = useState("");
  const [text, setText] = useState('{\n  "jsonrpc": "2.0",\n  "id": "raw-1",\n  "method": ""\n}');
  const [faults, setFaults] = useState<readonly string[]>([]);
  const area = useRef<HTMLTextAreaElement>(null);
  const number = useRef(1);
  useEffect(() => {
    let isUnmounted = false;
    void link.file(protocolVersion === 2 ? "/schema-v2.json" : "/schema.json").then(
      (loaded) => !isUnmounted && setSchema(new ProtocolSchema(loaded)),
      () => {}, // without the schema, the user writes the whole message
    );
    return () => {
      isUnmounted = true;
    };
  }, [link, protocolVersion]);
  const message = useMemo(() => parsed(text), [text]);
  const { status } = link;
  useEffect(() => {
    if (message === undefined) {
      setFaults(["This is not JSON."]);
      return;
    }
    let isOld = false;
    void link.check(message).then(
      (found) => !isOld && setFaults(found),
      ({ message: reason }: Error) => !isOld && setFaults([reason]),
    );
    return () => {
      isOld = true;
    };
  }, [link, status, message]); // checks again after the connection was lost
  const chosen = schema?.methods.find((each) => each.method === method);
  const choose = (name: string): void => {
    setMethod(name);
    const found = schema?.methods.find((each) => each.method === name);
    if (schema === undefined || found === undefined) return;
    number.current += 1;
    const example = Object(schema.example(found.schema)) as Record<string, unknown>;
    const params = "sessionId" in example && sessionId !== undefined ? { ...example, sessionId } : example;
    const id = found.isNotification ? {} : { id: `raw-${number.current}` };
    setText(JSON.stringify({ jsonrpc: "2.0", ...id, method: name, params }, undefined, 2));
  };
  const addMember = (name: string, example: unknown): void => {
    const value = Object(message) as { params?: Record<string, unknown> };
    setText(JSON.stringify({ ...value, params: { ...value.params, [name]: example } }, undefined, 2));
    area.current?.focus();
  };
  const used = new Set(Object.keys(Object((Object(message) as { params?: unknown }).params)));
  const missing =
    chosen === undefined ? [] : (schema?.membersOf(chosen.schema) ?? []).filter(({ name }) => !used.has(name));
  return (
    <div className="form-pane">
      <h2>Any message</h2>
      <label>
        Method{" "}
        <select id="raw-method" value={method} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">Choose a method, or write below</option>
          {schema?.methods.map((each) => (
            <option key={each.method} value={each.method}>
              {each.method + (each.isNotification ? " (notification)" : "")}
            </option>
          ))}
        </select>
      </label>
      <label>
        Message, as JSON
        <textarea
          ref={area}
          id="raw-text"
          rows={14}
          spellCheck={false}
          value={text}
          aria-describedby="raw-faults"
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {missing.length > 0 && (
        <div className="members" role="group" aria-label="Further members">
          {missing.map(({ name, isRequired, description, example }) => (
            <button
              type="button"
              key={name}
              title={plainLine(description, 300)}
              onClick={() => addMember(name, example)}
            >
              {`+ ${name}${isRequired ? " (required)" : ""}`}
            </button>
          ))}
        </div>
      )}
      <div id="raw-faults" role="status">
        <ul className="marks">
          {faults.map((fault, index) => (
            <li key={index}>{plainLine(fault, 500)}</li>
          ))}
        </ul>
      </div>
      <button
        type="button"
        id="raw-send"
        disabled={message === undefined || !link.canSend}
        onClick={() => link.send({ do: "send", message })}
      >
        {faults.length === 0 ? "Send" : "Send anyway"}
      </button>
    </div>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
