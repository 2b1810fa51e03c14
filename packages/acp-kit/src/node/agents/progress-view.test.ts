import type { InstallProgress } from "@acp-kit/registry";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeHost } from "../../../test/fake-host.js";
import { progressView } from "./progress-view.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const clear = "\r\u001b[K";
const steps: readonly InstallProgress[] = [
  { step: "wait", what: "small" },
  { step: "download", what: "a.tar.gz", receivedBytes: 0, totalBytes: 4_000_000 },
  { step: "download", what: "a.tar.gz", receivedBytes: 1_000_000, totalBytes: 4_000_000 },
  { step: "download", what: "a.tar.gz", receivedBytes: 4_000_000, totalBytes: 4_000_000 },
  { step: "verify", what: "a.tar.gz" },
  { step: "unpack", what: "a.tar.gz" },
];

/** Reports all steps, `pauseMs` apart, and returns what is written to standard error. */
function shown(options: { terminal: boolean; env?: Record<string, string>; pauseMs?: number }): string {
  const host = fakeHost(options);
  using view = progressView(host);
  for (const step of steps) {
    view.onProgress(step);
    vi.advanceTimersByTime(options.pauseMs ?? 100);
  }
  view[Symbol.dispose]();
  return host.err();
}

it("draws one line with a bar on a terminal, and removes it at the end", () => {
  expect(shown({ terminal: true }).split(clear)).toEqual([
    "waiting for another process that is installing small",
    `downloading a.tar.gz [${".".repeat(24)}] 0.0 MB of 4.0 MB`,
    `downloading a.tar.gz [${"#".repeat(6)}${".".repeat(18)}] 1.0 MB of 4.0 MB`,
    `downloading a.tar.gz [${"#".repeat(24)}] 4.0 MB of 4.0 MB`,
    "verifying a.tar.gz",
    "unpacking a.tar.gz",
    "",
  ]);
});

it("draws each step immediately, but a download at most ten times a second", () => {
  const text = shown({ terminal: true, pauseMs: 10 });
  expect(text.match(/downloading/g)).toHaveLength(1);
  expect(text).toContain("unpacking");
});

it.each([{ terminal: false }, { terminal: true, env: { TERM: "dumb" } }])(
  "prints one plain line per step elsewhere: %j",
  (options) => {
    expect(shown(options)).toBe(
      "waiting for another process that is installing small\ndownloading a.tar.gz\nverifying a.tar.gz\nunpacking a.tar.gz\n",
    );
  },
);

it("shows the received bytes of a download of unknown size, and removes control characters of the name", () => {
  const host = fakeHost({ terminal: true });
  using view = progressView(host);
  view.onProgress({ step: "download", what: "a\u001b[2J.zip", receivedBytes: 1_500_000 });
  expect(host.err()).toBe("downloading a.zip 1.5 MB");
});

it("is not longer than a line of the terminal", () => {
  const host = fakeHost({ terminal: true });
  using view = progressView(host);
  view.onProgress({ step: "download", what: "a".repeat(300), receivedBytes: 1, totalBytes: 2 });
  expect(host.err()).toHaveLength(99);
});

it("does not exceed the bar if the server sends more bytes than it announced", () => {
  const host = fakeHost({ terminal: true });
  using view = progressView(host);
  view.onProgress({ step: "download", what: "a", receivedBytes: 9, totalBytes: 3 });
  expect(host.err()).toContain(`[${"#".repeat(24)}]`);
});
