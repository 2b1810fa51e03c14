import { plainText } from "@acp-kit/react";
import { type ReactElement, type ReactNode, useMemo, useState } from "react";

/** The maximum number of characters that are shown at first, with colours. */
const LONG = 50_000;

/** Shows a JSON value with colours. A long value is cut, and a button shows the whole value. */
export function JsonView({ value }: { readonly value: unknown }): ReactElement {
  const text = useMemo(
    () => (typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "")),
    [value],
  );
  const [isWhole, setWhole] = useState(false);
  const painted = useMemo(
    () => (typeof value === "string" ? plainText(text.slice(0, LONG)) : paintJson(text.slice(0, LONG))),
    [text, value],
  );
  return (
    <>
      <pre className="json" tabIndex={0}>
        {isWhole ? plainText(text) : painted}
      </pre>
      {text.length > LONG && !isWhole && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString("en")} characters
        </button>
      )}
    </>
  );
}

// A string may be cut off. If the closing quote was required, each quote in such a string would be searched for its end
// again.
const token = /("(?:[^"\\]|\\.)*"?)(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

/** Returns the nodes of a JSON text, which may be cut off, with a class for each kind of token. */
export function paintJson(text: string): ReactNode[] {
  const nodes: ReactNode[] = [];
  let end = 0;
  for (const found of text.matchAll(token)) {
    const [all, string, colon] = found;
    nodes.push(plainText(text.slice(end, found.index)));
    const kind =
      string === undefined ? (/^[tfn]/.test(all) ? "word" : "number") : colon === undefined ? "string" : "key";
    nodes.push(
      <span key={found.index} className={kind}>
        {plainText(string ?? all)}
      </span>,
      colon ?? "",
    );
    end = found.index + all.length;
  }
  nodes.push(plainText(text.slice(end)));
  return nodes;
}
