import type { TapEvent } from "@acp-kit/jsonrpc";
import { createRedactor, redactingTap } from "@acp-kit/redact";
import { describe, expect, it } from "vitest";
import { echoes, type MarkedPlace, places, play, type Step, tapEventsOf } from "../../test/markers.js";
import { readRecording } from "./read-recording.js";
import { recorder } from "./recorder.js";
import type { RecorderOptions } from "./recorder-options.js";
import { memorySink } from "./sink.js";
import { traceText } from "./trace/trace-text.js";

const marker = "Zq7MARK9f3a8c41d2e6b705x";
/** Characters that JSON, URLs and shells must escape. */
const oddMarker = 'k"9\\f/3 é&8c41+d2=e6b7%05';

function recordingOf(steps: readonly Step[], options: Partial<RecorderOptions> = {}): string {
  const sink = memorySink();
  play(recorder({ in: "between", sink, ...options }), steps);
  return sink.text();
}

function tapped(steps: readonly Step[]): TapEvent[] {
  const events: TapEvent[] = [];
  const tap = redactingTap((event) => events.push(event));
  for (const event of tapEventsOf(steps)) tap(event);
  return events;
}

/** Every output of the steps of a place. */
function waysOut(steps: readonly Step[]): Record<string, string> {
  const text = recordingOf(steps);
  const recording = readRecording(text);
  expect(recording.problems).toEqual([]);
  const redactor = createRedactor();
  const stderr = redactor.lines();
  const shown = steps.map((step) => {
    if ("stderr" in step) return stderr(step.stderr);
    if ("line" in step) return redactor.redactText(step.line);
    return redactor.redact("message" in step ? step.message : step);
  });
  return {
    recording: text,
    "recording without file contents": recordingOf(steps, { fileContents: false }),
    "trace as text": traceText(recording),
    tap: JSON.stringify(tapped(steps)),
    "report, error or diagnostic": JSON.stringify(shown),
  };
}

/** Whether a text shows a marker, or more of it than a few characters. */
function tracesOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret.slice(0, 12),
    secret.slice(-12),
    json,
    encodeURIComponent(secret),
    btoa(unescape(encodeURIComponent(secret))),
  ];
}

function leaks({ steps }: MarkedPlace, secret: string): string[] {
  const out = waysOut(steps(secret));
  return Object.entries(out).flatMap(([way, text]) =>
    tracesOf(secret).some((trace) => text.includes(trace) || terminalTextIn(text).includes(trace)) ? [way] : [],
  );
}

/** The text of the bytes in base64 in an output, in which agents of version 2 send the output of terminals. */
function terminalTextIn(text: string): string {
  const pieces = [...text.matchAll(/"data":"([\w+/=]*)"/g)].map(([, base64 = ""]) => Buffer.from(base64, "base64"));
  return Buffer.concat(pieces).toString();
}

describe("a secret hidden once", () => {
  it("secret.by-value: no secret appears in any output, from any place", () => {
    expect(places.length).toBeGreaterThanOrEqual(88);
    const found: Record<string, string[]> = {};
    for (const place of places) {
      const ways = leaks(place, marker);
      if (ways.length > 0) found[place.name] = ways;
    }
    expect(found).toEqual({});
  });

  it("is a valid test: without redaction, the secret of every place is in the recording", () => {
    for (const { name, steps } of places) {
      const text = recordingOf(steps(marker), { secrets: true });
      const said = readRecording(text)
        .entries.map((entry) => textsIn(entry))
        .join("");
      expect(
        tracesOf(marker).some((trace) => [said, text, terminalTextIn(text)].some((shown) => shown.includes(trace))),
        name,
      ).toBe(true);
    }
  });

  it.each(Object.keys(echoes))(
    "secret.by-value: a secret with characters that need escapes is hidden in %s",
    (name) => {
      const place = places.find((each) => each.name === `env, then ${name}`) as MarkedPlace;
      expect(leaks(place, oddMarker)).toEqual([]);
    },
  );

  it("secret.by-value: a secret first seen in any place is hidden in the agent's log afterwards", () => {
    const found: string[] = [];
    // The value that was hidden there is more than the marker.
    const others = new Set(["a known form", "a quoted value in a log"]);
    for (const { name, steps } of places) {
      if (name.startsWith("env, then") || others.has(name)) continue;
      const text = recordingOf([...steps(marker), ...(echoes["a word in the log"]?.(marker) ?? [])]);
      if (text.includes(marker)) found.push(name);
    }
    expect(found).toEqual([]);
  });

  it("secret.by-value: the joined chunks of a message don't contain the secret", () => {
    for (const name of ["a response in chunks", "a response in tiny chunks"]) {
      const place = places.find((each) => each.name === `env, then ${name}`) as MarkedPlace;
      const { entries } = readRecording(recordingOf(place.steps(marker)));
      const joined = entries.map((entry) => chunkIn(entry)).join("");
      expect(joined).not.toContain(marker.slice(0, 9));
      expect(joined).not.toContain(marker.slice(-9));
    }
  });

  it("secret.by-value: a part of a message that parsing drops contains no secret, not even with unneeded escapes", () => {
    const secret = JSON.stringify(
      [...marker].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join(""),
    );
    const texts = [
      `{"method":"x","params":{"a":${secret.replaceAll("\\\\", "\\")}},"params":{}}`,
      `{"method":"x","params":{"\\u0061pi\\u004bey":"two plain words"},"params":{}}`,
    ];
    for (const text of texts) {
      const sink = memorySink();
      const tape = recorder({ in: "between", sink });
      play(tape, [{ from: "client", message: { id: 1, method: "x", params: { env: { A: marker } } } }]);
      tape.message("agent", JSON.parse(text), { text });
      expect(sink.text().split("\n")[2]).toMatch(/"message":\{"method":"x","params":\{\}\}\}$/);
    }
  });

  it("a connection passes a recorder unredacted messages, so that it learns their secrets", () => {
    const redacting = recorder({ in: "client", sink: memorySink() });
    const open = recorder({ in: "client", sink: memorySink(), secrets: true });
    expect("redacts" in redacting).toBe(true);
    expect("redacts" in open).toBe(false);
  });
});

function textsIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value)
    .map(([name, member]) => `${name}${textsIn(member)}`)
    .join("");
}

function chunkIn(entry: object): string {
  const { message } = entry as { message?: { params?: { update?: { content?: { text?: string } } } } };
  return message?.params?.update?.content?.text ?? "";
}
