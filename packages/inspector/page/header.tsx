import { plainLine } from "@acp-kit/react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { recordingScript } from "./model/recording-script.js";
import { type Inspected, useInspected } from "./parts/context.js";
import { download } from "./parts/download.js";
import { useSignal } from "./parts/use-signal.js";

const modes = { agent: "live", proxy: "watching", recording: "recording", page: "recording" } as const;

/** The title, the numbers, and what can be done with the whole recording. */
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
  const { status } = link.state;
  return (
    <header>
      <h1 id="name">{plainLine(title, 200)}</h1>
      <span className="badge" data-mode={link.state.mode}>
        {status === undefined || status.is === "running" ? modes[link.state.mode] : status.is}
      </span>
      <div className="facts" id="facts">
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
        {(link.state.problems ?? 0) > 0 && <span className="bad">{link.state.problems} unreadable lines</span>}
        {store.waiting > 0 && <span>{store.waiting.toLocaleString("en")} to come</span>}
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
  const save = (name: string, text: string): void => {
    download(name, text);
    if (menu.current !== null) menu.current.open = false;
  };
  return (
    <details className="menu" ref={menu}>
      <summary>Save</summary>
      <div>
        <button type="button" onClick={() => save("recording.jsonl", store.text())}>
          Recording
        </button>
        {hasServer && (
          <button type="button" onClick={() => void link.file("/trace.html").then((page) => save("trace.html", page))}>
            HTML page
          </button>
        )}
        <button type="button" onClick={() => save("agent.test.ts", recordingScript(allEntries(inspected)))}>
          Scripted test
        </button>
      </div>
    </details>
  );
}

function allEntries({ store }: Inspected) {
  return Array.from({ length: store.length }, (_, index) => store.entry(index)).filter((entry) => entry !== undefined);
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
    <button type="button" id="theme" onClick={onClick}>
      Light / dark
    </button>
  );
}

function titleOf({ store }: Inspected): string {
  const { peers, agent, command } = store.conversation;
  if (peers !== undefined) return peers;
  if (agent.name !== undefined) return `${agent.name} ${agent.version ?? ""}`.trim();
  return command ?? "ACP inspector";
}
