import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { after, onAbort } from "@acp-kit/protocol/internal";
import { fetchSecure, reasonOf } from "../catalog/fetch-secure.js";
import { fileFailure, RegistryError } from "../errors.js";
import type { InstallContext } from "./install-options.js";

/**
 * Downloads a file and returns its SHA-256 in hexadecimal.
 *
 * @throws {RegistryError} `unreachable`, also when the server stops sending or the download is incomplete; `too_large`;
 * `disk_full`. Rejects with the reason of an aborted signal.
 */
export async function download(url: string, file: string, context: InstallContext): Promise<string> {
  const { limits, signal, onProgress, fetch } = context;
  const name = new URL(url).pathname.split("/").pop() ?? url;
  const what = `${name} can't be downloaded`;
  const stall = new AbortController();
  const { stallMs } = limits;
  const arm = (): (() => void) => after(stallMs, () => stall.abort(stalled(what, stallMs)), { keepAlive: true });
  const handle = await open(file, "wx", 0o600);
  let stopTimer = arm();
  const unlisten = onAbort(signal, () => stall.abort(signal?.reason));
  try {
    const response = await fetchSecure(url, what, { signal: stall.signal, fetch });
    if (!response.ok) {
      await response.body?.cancel();
      const hint =
        response.status === 404
          ? " The cached registry may be out of date; read the registry again without offline mode."
          : "";
      throw new RegistryError("unreachable", `${what}: the server responded with status ${response.status}.${hint}`);
    }
    const length =
      response.headers.get("content-encoding") === null ? Number(response.headers.get("content-length")) : 0;
    if (length > limits.maxDownloadBytes) throw tooLarge(what, limits.maxDownloadBytes);
    const hash = createHash("sha256");
    let received = 0;
    onProgress({ step: "download", what: name, receivedBytes: 0, ...(length > 0 && { totalBytes: length }) });
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      stopTimer();
      stopTimer = arm();
      received += chunk.length;
      if (received > limits.maxDownloadBytes) throw tooLarge(what, limits.maxDownloadBytes);
      hash.update(chunk);
      for (let written = 0; written < chunk.length; ) written += (await handle.write(chunk, written)).bytesWritten;
      onProgress({ step: "download", what: name, receivedBytes: received, ...(length > 0 && { totalBytes: length }) });
    }
    if (length > 0 && received !== length) {
      throw new RegistryError(
        "unreachable",
        `${what}: the download ended after ${received} of ${length} bytes. Try again.`,
      );
    }
    return hash.digest("hex");
  } catch (error) {
    signal?.throwIfAborted();
    if (stall.signal.aborted) throw stall.signal.reason;
    if (error instanceof RegistryError) throw error;
    const failure = fileFailure(what, error);
    if (failure instanceof RegistryError || isOfFiles(error)) throw failure;
    throw new RegistryError("unreachable", `${what}: the connection failed (${reasonOf(error)}). Try again.`, {
      cause: error,
    });
  } finally {
    stopTimer();
    unlisten();
    await handle.close();
  }
}

/** Whether an error comes from the file system. Errors of the file system contain the name of a system call. */
function isOfFiles(error: unknown): boolean {
  return ["open", "write", "close"].includes((error as NodeJS.ErrnoException).syscall ?? "");
}

function tooLarge(what: string, maxBytes: number): RegistryError {
  return new RegistryError("too_large", `${what}: the file is larger than ${maxBytes} bytes.`);
}

function stalled(what: string, stallMs: number): RegistryError {
  return new RegistryError("unreachable", `${what}: the server sent nothing for ${stallMs} ms. Try again.`);
}
