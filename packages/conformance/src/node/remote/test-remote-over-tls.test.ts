import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RightServer, type ServerMistake } from "../../../test/right-server.js";
import { remoteScenarios } from "../../areas/remote-transport/server.js";
import { testRemote } from "./test-remote.js";

const limits = { requestTimeoutMs: 3_000, turnTimeoutMs: 3_000, quietMs: 50, cwd: "/work", prompt: "hello" };

/** Returns a new self-signed certificate, or `undefined` if this machine can't create one. */
function certificate(): { readonly key: string; readonly cert: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const options = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", ...names];
  try {
    execFileSync("openssl", [...options, "-keyout", key, "-out", cert], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const tls = certificate();
if (!tls) console.log("Not run: conformance over TLS, because no openssl was found that can create a certificate.");

/** Returns the outcomes of all scenarios over TLS. */
async function judge(mistake: ServerMistake, options: { readonly ca?: string } = {}) {
  const server = new RightServer(mistake, tls);
  const url = await server.listen();
  try {
    return await testRemote({ url, limits, jobs: 4, confirm: false, wanted: () => true, ...options });
  } finally {
    await server.close();
  }
}

const trusting = { ca: tls?.cert ?? "" };

test.skipIf(!tls)(
  "conformance.over-tls: a server with TLS is judged over HTTP/2, chosen by ALPN, and over a secure WebSocket",
  async () => {
    const outcomes = await judge({}, trusting);
    const others = outcomes.filter(({ verdict }) => verdict.status !== "passed");
    expect(others.map(({ check, verdict }) => [check.id, verdict])).toEqual([]);
    expect(outcomes).toHaveLength(remoteScenarios.length);
    const requests = outcomes.flatMap(({ dialogues }) => dialogues.flatMap(({ entries }) => entries));
    const versions = new Set(requests.flatMap((entry) => ("message" in entry ? [versionOf(entry.message)] : [])));
    expect([...versions].filter((version) => version !== undefined)).toEqual(["2"]);
  },
);

test.skipIf(!tls)("a TLS server without HTTP/2 breaks the rule, because no proxy behind TLS can add it", async () => {
  const outcomes = await judge({ withoutHttp2: true }, trusting);
  const findings = outcomes.flatMap(({ verdict }) => (verdict.status === "failed" ? verdict.findings : []));
  expect(findings).toMatchObject([{ requirement: "RT-03", sent: expect.stringContaining("ALPN") }]);
  expect(findings[0]).not.toHaveProperty("advice");
});

test.skipIf(!tls)("a certificate that is not trusted breaks no rule, and the reason names it", async () => {
  const outcomes = await judge({});
  expect(new Set(outcomes.map(({ verdict }) => verdict.status))).toEqual(new Set(["inconclusive"]));
  expect(outcomes[0]?.verdict).toMatchObject({ reason: expect.stringMatching(/self.signed certificate/) });
});

function versionOf(message: unknown): unknown {
  return (message as { http?: { version?: unknown } }).http?.version;
}
