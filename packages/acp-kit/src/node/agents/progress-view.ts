import { prefixOf } from "@acp-kit/protocol/internal";
import type { InstallProgress, OnInstallProgress } from "@acp-kit/registry";
import { cleanLine } from "../chat/text/clean.js";
import type { Host } from "../host.js";

const barLength = 24;
/** Minimum time between two updates of the bar, in milliseconds. */
const pauseMs = 100;

/** Shows the progress of an installation on standard error. */
export interface ProgressView extends Disposable {
  readonly onProgress: OnInstallProgress;
}

/** Creates a view of an installation: a bar on a terminal, otherwise one line per step. */
export function progressView({ stderr, env }: Pick<Host, "stderr" | "env">): ProgressView {
  return stderr.isTerminal && env.TERM !== "dumb" ? barView(stderr) : lineView(stderr);
}

function lineView(stderr: Host["stderr"]): ProgressView {
  let last = "";
  return {
    onProgress(progress) {
      const text = textOf(progress);
      if (text !== last) stderr.line(text);
      last = text;
    },
    [Symbol.dispose]() {},
  };
}

function barView(stderr: Host["stderr"]): ProgressView {
  let drawnAt = 0;
  let isDrawn = false;
  let lastStep = "";
  const clear = (): void => {
    if (isDrawn) stderr.write("\r\u001b[K");
    isDrawn = false;
  };
  return {
    onProgress(progress) {
      const now = performance.now();
      if (progress.step === lastStep && now - drawnAt < pauseMs) return;
      [drawnAt, lastStep] = [now, progress.step];
      clear();
      stderr.write(prefixOf(`${textOf(progress)}${barOf(progress)}`, stderr.columns - 1));
      isDrawn = true;
    },
    [Symbol.dispose]: clear,
  };
}

function textOf({ step, what }: InstallProgress): string {
  const name = cleanLine(what);
  switch (step) {
    case "wait":
      return `waiting for another process that is installing ${name}`;
    case "download":
      return `downloading ${name}`;
    case "verify":
      return `verifying ${name}`;
    case "unpack":
      return `unpacking ${name}`;
    case "install":
      return `installing ${name}`;
  }
}

function barOf({ receivedBytes, totalBytes }: InstallProgress): string {
  if (receivedBytes === undefined) return "";
  if (totalBytes === undefined || totalBytes === 0) return ` ${megabytes(receivedBytes)}`;
  const full = Math.round(Math.min(receivedBytes / totalBytes, 1) * barLength);
  return ` [${"#".repeat(full)}${".".repeat(barLength - full)}] ${megabytes(receivedBytes)} of ${megabytes(totalBytes)}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
