import { plainLine } from "@acp-kit/react";
import { readRecording } from "@acp-kit/testing/recording";
import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import { textOf } from "./model/members.js";
import { recordingScript } from "./model/script/recording-script.js";
import { type Inspected, useInspected } from "./parts/context.js";
import { download } from "./parts/download.js";
import { useSignal } from "./parts/use-signal.js";

const modes = { agent: "live", proxy: "watching", recording: "recording", page: "recording" } as const;

/** The title of the recording, its numbers of rows and errors, and the actions on the whole recording. */
export function Header(props: { readonly onCompare: () => void; readonly isComparing: boolean }): ReactElement {
  const inspected = useInspected();
  const { store, link } = inspected;
  useSignal(store.signal);
  const title = link.state.title ?? titleOf(inspected);
  useEffect(() => {
    document.title = title;
  }, [title]);
  const { failed } = store;
  const last = store.rows.at(-1)?.t ?? 0;
  const problems = link.state.problems ?? 0;
  const startedAt = useMemo(() => startOf(store.header), [store.header]);
  const { status } = link.state;
  return (
    <header>
      <h1 id="name">{plainLine(title, 200)}</h1>
      <span className="badge" data-mode={link.state.mode}>
        {status === undefined || status.is === "running" ? modes[link.state.mode] : status.is}
      </span>
      <div className="facts" id="facts">
        {startedAt !== undefined && <span>{startedAt}</span>}
        <span>
          <b>{store.rows.length.toLocaleString("en")}</b> rows
        </span>
        <span>
          <b>{(last / 1000).toFixed(1)}</b> s
        </span>
        {failed > 0 && (
          <span className="bad">
            <b>{failed}</b> {failed === 1 ? "error" : "errors"}
          </span>
        )}
        {store.marks.length > 0 && (
          <span className="bad">
            <b>{store.marks.length}</b> {store.marks.length === 1 ? "mark" : "marks"}
          </span>
        )}
        {problems > 0 && (
          <span className="bad">
            <b>{problems}</b> unreadable {problems === 1 ? "line" : "lines"}
          </span>
        )}
        {store.waiting > 0 && <span>{store.waiting.toLocaleString("en")} loading</span>}
      </div>
      <span className="spring" />
      <SaveMenu />
      <button type="button" aria-pressed={props.isComparing} onClick={props.onCompare}>
        Compare
      </button>
      <ThemeButton />
    </header>
  );
}

function SaveMenu(): ReactElement {
  const inspected = useInspected();
  const { store, link } = inspected;
  const hasServer = link.state.mode !== "page";
  const menu = useRef<HTMLDetailsElement>(null);
  const [problem, setProblem] = useState("");
  const save = async (name: string, textOf: () => string | Promise<string>): Promise<void> => {
    try {
      download(name, await textOf());
      setProblem("");
      if (menu.current !== null) menu.current.open = false;
    } catch (error) {
      setProblem(`${name} can't be saved: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <details className="menu" ref={menu}>
      <summary>Save</summary>
      <div>
        <button type="button" onClick={() => void save("recording.jsonl", () => store.text())}>
          Recording
        </button>
        {hasServer && (
          <button type="button" onClick={() => void save("trace.html", () => link.file("/trace.html"))}>
            HTML page
          </button>
        )}
        <button
          type="button"
          onClick={() => void save("agent.test.ts", () => recordingScript(readRecording(store.text())))}
        >
          Scripted test
        </button>
        <p className="acp-problem" role="alert">
          {plainLine(problem, 300)}
        </p>
      </div>
    </details>
  );
}

function ThemeButton(): ReactElement {
  const [theme, setTheme] = useState<"light" | "dark">();
  const onClick = (): void => {
    const current = theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    const next = current === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    setTheme(next);
  };
  return (
    <button type="button" id="theme" aria-label="Light or dark" title="Light or dark" onClick={onClick}>
      ◐
    </button>
  );
}

/** Returns the time at which the recording began. In a header, the start of 1970 means that the time is unknown. */
function startOf(header: string): string | undefined {
  const startedAt = header === "" ? undefined : textOf(JSON.parse(header), "startedAt");
  if (startedAt === undefined || startedAt.startsWith("1970")) return undefined;
  return `${plainLine(startedAt.slice(0, 19).replace("T", " "), 20)} UTC`;
}

function titleOf({ store }: Inspected): string {
  const { peers, agent, command } = store.conversation;
  if (peers !== undefined) return peers;
  if (agent.name !== undefined) return `${agent.name} ${agent.version ?? ""}`.trim();
  return command ?? "ACP inspector";
}
