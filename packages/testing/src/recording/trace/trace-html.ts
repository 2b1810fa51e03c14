import type { PeersEntry, ProcessEntry, Recording } from "../format.js";
import { OpenRequests } from "../open-requests.js";
import { pageScript } from "./trace-page-script.js";
import { pageStyle } from "./trace-page-style.js";
import { type TraceRow, traceRows } from "./trace-row.js";

/** Options of {@link traceHtml}. */
export interface TraceHtmlOptions {
  /** The title of the page; by default the agent's name or command. */
  readonly title?: string;
}

/**
 * Renders a recording as one HTML page: a sequence diagram with filters, search and the details of each message. The
 * page makes no network request, and its content security policy allows only its own style and script, by their hashes.
 *
 * The page contains the recording as data and never as HTML, so that a recording of a hostile peer can be viewed
 * safely.
 */
export async function traceHtml(recording: Recording, options: TraceHtmlOptions = {}): Promise<string> {
  const rows = traceRows(recording);
  const facts = { title: options.title ?? titleOf(recording), numbers: numbersOf(recording, rows) };
  const policy = [
    "default-src 'none'",
    `style-src '${await hashOf(pageStyle)}'`,
    `script-src '${await hashOf(pageScript)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const data = asScriptData({ facts, rows, entries: recording.entries });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>ACP trace</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<div class="title"><h1 id="name">ACP trace</h1><div class="facts" id="facts"></div><span class="spring"></span>
<button id="theme" type="button">Light / dark</button></div>
<div class="filters" role="search">
<input id="search" type="search" placeholder="Search in messages" aria-label="Search in messages">
<select id="method" aria-label="Method"><option value="">All methods</option></select>
<select id="side" aria-label="Who"><option value="">Both sides</option><option value="client">Client → agent</option>
<option value="agent">Agent → client</option><option value="process">Process and stderr</option></select>
<select id="session" aria-label="Session"><option value="">All sessions</option></select>
<button id="errors" type="button" aria-pressed="false">Errors</button>
<button id="clear" type="button">Clear</button>
<span class="count" id="count" role="status"></span>
</div>
</header>
<main>
<section class="sequence" aria-label="Sequence">
<div class="heads" aria-hidden="true"><span>seconds</span><span class="ends"><span>Client</span><span>Agent</span></span><span>what it says</span></div>
<div class="list" id="list" role="listbox" tabindex="0" aria-label="Messages"><div class="space" id="space" role="presentation"></div>
<p class="empty" id="empty" hidden>Nothing like that in this recording.</p></div>
</section>
<aside class="detail" id="detail" aria-label="Details" aria-live="polite"></aside>
</main>
<footer><span><kbd>↑</kbd> <kbd>↓</kbd> move</span><span><kbd>Enter</kbd> request ↔ response</span><span><kbd>/</kbd> search</span>
<span><kbd>e</kbd> errors</span><span><kbd>Esc</kbd> clear</span></footer>
<noscript>This page needs its script to show the recording.</noscript>
<script type="application/json" id="data">${data}</script>
<script>${pageScript}</script>
</body>
</html>
`;
}

/** JSON that is safe in a script element: without `<` it can't end the element or begin a comment. */
function asScriptData(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

function titleOf({ entries }: Recording): string {
  const peers = entries.find((entry): entry is PeersEntry => entry.kind === "peers") ?? introduced(entries);
  const named = [peers?.client, peers?.agent].flatMap((peer) => (peer ? [`${peer.name} ${peer.version}`] : []));
  if (named.length > 0) return named.join(" ↔ ");
  type Started = Extract<ProcessEntry, { event: "started" }>;
  const started = entries.find((entry): entry is Started => entry.kind === "process" && entry.event === "started");
  return started?.command?.join(" ") ?? "ACP trace";
}

/** Recordings of simple taps have no line that names the peers: the messages do. */
function introduced(entries: Recording["entries"]): Pick<PeersEntry, "client" | "agent"> | undefined {
  const requests = new OpenRequests();
  for (const entry of entries) {
    const peers = entry.kind === "message" ? requests.peers(entry.from, entry.message) : undefined;
    if (peers !== undefined) return peers;
  }
  return undefined;
}

/** A fact beside the title: a number, what it counts, and whether it is a problem. */
function numbersOf(recording: Recording, rows: readonly TraceRow[]): [string, string, boolean][] {
  const messages = rows.filter(({ method, kind }) => method !== undefined || kind === "response").length;
  const failed = rows.filter((row) => row.failed).length;
  const seconds = ((recording.entries.at(-1)?.t ?? 0) / 1000).toFixed(1);
  const { startedAt } = recording.header;
  return [
    ...(startedAt.startsWith("1970")
      ? []
      : ([[startedAt.slice(0, 19).replace("T", " "), "UTC", false]] as [string, string, boolean][])),
    [String(messages), messages === 1 ? "message" : "messages", false],
    [seconds, "s", false],
    ...(failed === 0
      ? []
      : ([[String(failed), failed === 1 ? "error" : "errors", true]] as [string, string, boolean][])),
    ...(recording.problems.length === 0
      ? []
      : ([[String(recording.problems.length), "unreadable lines", true]] as [string, string, boolean][])),
  ];
}
