import { after as afterMs, type Deferred, deferred, onAbort, prefixOf } from "@acp-kit/jsonrpc/internal";
import type { Position } from "../engine/journal-page.js";
import type { RecordedEntry } from "../journal/recorded-entry.js";
import type { SessionJournal } from "../journal/session-journal.js";

/** Options of {@link journalResponse}. */
export interface JournalStreamOptions {
  /** How long a long poll waits for an entry, in milliseconds. */
  readonly longPollMs: number;
  /** How long an event stream lasts before the client must send another request, in milliseconds. */
  readonly eventsMs: number;
}

/** The position from which a caller reads: the oldest entry, after a given entry, or the end. */
type ReadFrom =
  | { readonly is: "start" | "end" }
  | { readonly is: "behind"; readonly position: Position }
  | { readonly is: "invalid" };

/**
 * Serves a session's journal by the read operations of the Durable Streams protocol: catch-up, long poll and
 * server-sent events. Each entry of the session's journal is one message of a JSON stream. The caller must check that
 * the principal owns the session. Closes the journal when the response is complete.
 *
 * @see https://github.com/durable-streams/durable-streams/blob/main/PROTOCOL.md
 */
export async function journalResponse(
  request: Request,
  journal: SessionJournal,
  options: JournalStreamOptions,
): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const live = searchParams.get("live");
  const from = readFrom(searchParams);
  const isLive = live !== null && searchParams.has("offset");
  if (isLive && live === "sse" && from.is !== "invalid") return eventsResponse(request, journal, from, options);
  const respond = async (): Promise<Response> => {
    if (from.is === "invalid") return refused(400, "The offset does not belong to this stream");
    if (live === null) return catchUp(request, journal, from);
    if (live !== "long-poll" && live !== "sse") return refused(400, "`live` must be long-poll or sse");
    if (!isLive) return refused(400, "The query parameter `live` requires the parameter `offset`");
    return longPoll(request, journal, from, options);
  };
  let response: Response | undefined;
  try {
    response = await respond();
    return response;
  } finally {
    if (response === undefined || !pages.has(response)) journal.close();
  }
}

/** The responses with a page. They close the journal when the page is sent. */
const pages = new WeakSet<Response>();

/** The number of characters of a page that are sent at once. */
const PIECE_CHARS = 65_536;

/**
 * Creates the response with a page of entries. The journal stays open, and the page counts, until it is sent or its
 * reader has gone.
 */
function pageResponse(
  journal: SessionJournal,
  entries: readonly RecordedEntry[],
  headers: Readonly<Record<string, string>>,
): Response {
  const text = textOf(entries);
  const encoder = new TextEncoder();
  let next = 0;
  const source = {
    pull(controller: ReadableStreamDefaultController<Uint8Array>): void {
      if (next < text.length) {
        const piece = prefixOf(text.slice(next, next + PIECE_CHARS + 1), PIECE_CHARS);
        next += piece.length;
        controller.enqueue(encoder.encode(piece));
        return;
      }
      controller.close();
      journal.close();
    },
    cancel: () => journal.close(),
  };
  const response = new Response(new ReadableStream(source, { highWaterMark: 0 }), { headers });
  pages.add(response);
  return response;
}

async function catchUp(
  request: Request,
  journal: SessionJournal,
  from: Exclude<ReadFrom, { is: "invalid" }>,
): Promise<Response> {
  if (request.method === "HEAD") {
    return new Response(null, { headers: { ...common, ...nextOffset(journal.last), "cache-control": "no-store" } });
  }
  if (from.is === "end") {
    return new Response("[]", {
      headers: { ...common, ...nextOffset(journal.last), ...upToDate, "cache-control": "no-store" },
    });
  }
  const page = await journal.read(from.is === "behind" ? from.position : undefined);
  if (page.is !== "page") return lost(page.is);
  const next = page.entries.at(-1) ?? (from.is === "behind" ? from.position : journal.last);
  const isAtEnd = next.seq >= journal.last.seq;
  const etag = `"${offsetOf(from.is === "behind" ? from.position : { seq: 0, epoch: 0 })}:${offsetOf(next)}"`;
  const headers = {
    ...common,
    ...nextOffset(next),
    ...(isAtEnd && upToDate),
    etag,
    // A full page never changes, although retention may remove it later. The last page can still get entries.
    "cache-control": isAtEnd || from.is === "start" ? "private, no-cache" : "private, max-age=86400, immutable",
  };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return pageResponse(journal, page.entries, headers);
}

async function longPoll(
  request: Request,
  journal: SessionJournal,
  from: Exclude<ReadFrom, { is: "invalid" }>,
  { longPollMs }: JournalStreamOptions,
): Promise<Response> {
  const after = from.is === "behind" ? from.position : from.is === "end" ? journal.last : undefined;
  const cursor = { "stream-cursor": nextCursor(new URL(request.url).searchParams.get("cursor")) };
  const over = new AbortController();
  const stop = abortAfter(over, longPollMs, request.signal);
  try {
    for (;;) {
      const appended = nextAppend(journal, over.signal); // before the read, so that no entry is missed
      const page = await journal.read(after);
      if (page.is !== "page") return lost(page.is);
      const last = page.entries.at(-1);
      if (last !== undefined) {
        const headers = { ...common, ...nextOffset(last), ...cursor, "cache-control": "private, no-cache" };
        return pageResponse(journal, page.entries, { ...headers, ...(last.seq >= journal.last.seq && upToDate) });
      }
      await appended.promise;
      if (!over.signal.aborted) continue;
      const headers = { ...common, ...nextOffset(after ?? journal.last), ...upToDate, ...cursor };
      return new Response(null, { status: 204, headers: { ...headers, "cache-control": "no-store" } });
    }
  } finally {
    stop();
    over.abort(); // ends a wait for an append
  }
}

function eventsResponse(
  request: Request,
  journal: SessionJournal,
  from: Exclude<ReadFrom, { is: "invalid" }>,
  { eventsMs }: JournalStreamOptions,
): Response {
  const ended = new AbortController();
  const stop = abortAfter(ended, eventsMs, request.signal);
  onAbort(ended.signal, () => {
    stop();
    journal.close(); // even if the client has stopped reading
  });
  const encoder = new TextEncoder();
  let after: Position | undefined = from.is === "behind" ? from.position : from.is === "end" ? journal.last : undefined;
  let cursor = new URL(request.url).searchParams.get("cursor");
  let isBegun = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (!ended.signal.aborted) {
        const appended = nextAppend(journal, ended.signal);
        const page = await journal.read(after).catch((error: unknown) => {
          ended.abort(); // `cancel` is not called for a stream that fails
          throw error;
        });
        if (page.is !== "page") break; // the client's next request gets an error with the reason
        const last = page.entries.at(-1);
        if (last !== undefined) after = { seq: last.seq, epoch: last.epoch };
        if (last !== undefined || !isBegun) {
          appended.resolve();
          isBegun = true;
          cursor = nextCursor(cursor);
          const at = after ?? journal.last;
          const control = {
            streamNextOffset: offsetOf(at),
            streamCursor: cursor,
            ...(at.seq >= journal.last.seq && { upToDate: true }),
          };
          const data = last === undefined ? "" : `event: data\ndata:${textOf(page.entries)}\n\n`;
          controller.enqueue(encoder.encode(`${data}event: control\ndata:${JSON.stringify(control)}\n\n`));
          return;
        }
        await appended.promise;
      }
      ended.abort();
      controller.close();
    },
    cancel() {
      ended.abort();
    },
  });
  const headers = {
    ...common,
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-store",
    "x-accel-buffering": "no",
  };
  return new Response(body, { headers });
}

const common = {
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "access-control-expose-headers": "stream-next-offset, stream-up-to-date, stream-cursor, etag",
  vary: "authorization, cookie, x-api-key",
};

const upToDate = { "stream-up-to-date": "true" };

function nextOffset(position: Position): { readonly "stream-next-offset": string } {
  return { "stream-next-offset": offsetOf(position) };
}

/** Converts a position to a text. The alphabetical order of the texts is the order of the positions. */
function offsetOf({ seq, epoch }: Position): string {
  return `${seq.toString(36).padStart(11, "0")}_${epoch.toString(36).padStart(11, "0")}`;
}

const OFFSET = /^([0-9a-z]{11})_([0-9a-z]{11})$/;

function readFrom(params: URLSearchParams): ReadFrom {
  const [offset, more] = params.getAll("offset");
  if (more !== undefined) return { is: "invalid" };
  if (offset === undefined || offset === "-1") return { is: "start" };
  if (offset === "now") return { is: "end" };
  const [, seq, epoch] = OFFSET.exec(offset) ?? [];
  if (seq === undefined || epoch === undefined) return { is: "invalid" };
  const position = { seq: Number.parseInt(seq, 36), epoch: Number.parseInt(epoch, 36) };
  const isSafe = Number.isSafeInteger(position.seq) && Number.isSafeInteger(position.epoch);
  return isSafe && offsetOf(position) === offset ? { is: "behind", position } : { is: "invalid" };
}

function textOf(entries: readonly RecordedEntry[]): string {
  return `[${entries.map(({ text }) => text).join(",")}]`;
}

/**
 * Returns the cursor of a live response, a number that clients send back in the URL of their next request. The number
 * is always higher than the client's last cursor, so each request has another URL and a cache does not return an old
 * response.
 */
function nextCursor(given: string | null): string {
  const interval = Math.floor((Date.now() - CURSOR_EPOCH_MS) / CURSOR_INTERVAL_MS);
  const before = given !== null && /^\d{1,15}$/.test(given) ? Number(given) : -1;
  return String(Math.max(interval, before + 1));
}

const CURSOR_EPOCH_MS = Date.UTC(2024, 9, 9);
const CURSOR_INTERVAL_MS = 20_000;

/**
 * Aborts a controller after a time, or when a request aborts. The returned function ends that. `AbortSignal.any` is not
 * suitable: in Node 20, it does not keep a signal of `AbortSignal.timeout` alive, so after a garbage collection, the
 * time would never end.
 */
function abortAfter(controller: AbortController, ms: number, request: AbortSignal): () => void {
  const stops = [afterMs(ms, () => controller.abort()), onAbort(request, () => controller.abort())];
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Creates a promise that resolves at the next append, or when the signal aborts. A caller that does not await the
 * promise must resolve it to remove its listeners.
 */
function nextAppend(journal: SessionJournal, signal: AbortSignal): Deferred<void> {
  const appended = deferred();
  const stops = [journal.onAppend(appended.resolve), onAbort(signal, appended.resolve)];
  void appended.promise.then(() => {
    for (const stop of stops) stop();
  });
  return appended;
}

function lost(is: "expired" | "ahead" | "missing"): Response {
  if (is === "missing") return refused(404, "There is no such stream");
  return refused(410, "The stream no longer has this offset: read it from the start");
}

/**
 * @internal Creates a refusal. For a stream of another principal, callers must pass the same values as for an unknown
 * stream.
 */
export function refused(status: number, message: string, more: { readonly retryAfter?: number } = {}): Response {
  const headers = {
    ...common,
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    ...(more.retryAfter !== undefined && { "retry-after": String(more.retryAfter) }),
  };
  return new Response(`${message}.\n`, { status, headers });
}
