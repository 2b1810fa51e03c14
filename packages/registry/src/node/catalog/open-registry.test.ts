import { generateKeyPairSync, sign } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentOf, sha256Of, temporaryFolder } from "../../../test/fixtures.js";
import { type Route, TestServer } from "../../../test/server.js";
import { type OpenRegistryOptions, openRegistry } from "./open-registry.js";
import type { RegistrySource } from "./registry-source.js";

let place: ReturnType<typeof temporaryFolder>;
let server: TestServer;
beforeEach(async () => {
  place = temporaryFolder();
  server = await new TestServer().start();
});
afterEach(async () => {
  await server.close();
  place.remove();
});

const npx = (version: string) => ({ npx: { package: `@test/small@${version}` } });
const document = (version: string, id = "small") =>
  JSON.stringify({ version: "1.0.0", agents: [agentOf(npx(version), { id, version })] });
const open = (sources: readonly RegistrySource[], options: OpenRegistryOptions = {}) =>
  openRegistry({ cacheDirectory: join(place.path, "cache"), maxAgeMs: 0, timeoutMs: 2_000, sources, ...options });
const source = () => ({ url: `${server.url}/registry.json` });
const versionOf = async (opened: ReturnType<typeof open>) => (await opened).get("small")?.agent.version;

describe("a registry at a URL", () => {
  it("is fetched once, and then asked for only when it may have changed", async () => {
    server.routes.set("/registry.json", document("1.0.0"));
    expect(await versionOf(open([source()]))).toBe("1.0.0");
    expect(await versionOf(open([source()]))).toBe("1.0.0"); // confirmed by its ETag: 304
    expect(await versionOf(open([source()], { maxAgeMs: 60_000 }))).toBe("1.0.0"); // without a request
    expect(server.requests).toEqual(["GET /registry.json", "GET /registry.json"]);
    server.routes.set("/registry.json", document("1.1.0"));
    expect(await versionOf(open([source()]))).toBe("1.1.0");
  });

  it("registry.offline: is used from the cache while the server fails, and says so", async () => {
    server.routes.set("/registry.json", document("1.0.0"));
    await open([source()]);
    for (const failure of [
      undefined, // 404
      "<html>a login page</html>",
      JSON.stringify({ agents: 1 }),
      ((_, response) => void response.writeHead(500).end()) as Route,
      ((_, response) => void response.destroy()) as Route,
    ]) {
      if (failure === undefined) server.routes.delete("/registry.json");
      else server.routes.set("/registry.json", failure);
      const registry = await open([source()]);
      expect(registry.get("small")?.agent.version).toBe("1.0.0");
      expect(registry.sources).toMatchObject([{ state: "stale", problems: [{ message: expect.any(String) }] }]);
    }
    await server.close();
    expect((await open([source()])).sources).toMatchObject([{ state: "stale" }]);
    expect((await open([source()], { offline: true })).sources).toMatchObject([{ state: "current", problems: [] }]);
    await server.start();
  });

  it("that sends too slowly, or too much, is given up", async () => {
    server.routes.set("/registry.json", (_, response) => void response.writeHead(200).write("{"));
    const slow = await open([source()], { timeoutMs: 200 });
    expect(slow.sources).toMatchObject([
      { state: "unavailable", problems: [{ message: expect.stringContaining("broke off") }] },
    ]);
    server.routes.set("/registry.json", document("1.0.0").padEnd(100_000));
    const large = await open([source()], { maxBytes: 50_000 });
    expect(large.sources).toMatchObject([
      { state: "unavailable", problems: [{ message: expect.stringContaining("larger than 50000") }] },
    ]);
  });

  it("follows redirects to safe places alone", async () => {
    server.routes.set("/moved", (_, response) => void response.writeHead(302, { location: "/registry.json" }).end());
    server.routes.set("/registry.json", document("1.0.0"));
    expect(await versionOf(open([{ url: `${server.url}/moved` }]))).toBe("1.0.0");
    server.routes.set(
      "/away",
      (_, response) => void response.writeHead(302, { location: "http://registry.example/" }).end(),
    );
    const away = await open([{ url: `${server.url}/away` }]);
    expect(away.sources[0]?.problems[0]?.message).toContain("is not https:");
    server.routes.set("/round", (_, response) => void response.writeHead(302, { location: "/round" }).end());
    expect((await open([{ url: `${server.url}/round` }])).sources[0]?.problems[0]?.message).toContain(
      "more than 10 times",
    );
  });

  it("is refused with another checksum, or without its signature, and not cached", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    const text = document("1.0.0");
    server.routes.set("/registry.json", text);
    const summed = (sha256: string) => open([{ ...source(), sha256, required: true }]);
    await expect(summed("0".repeat(64))).rejects.toMatchObject({ code: "checksum_mismatch" });
    expect((await summed(sha256Of(Buffer.from(text)))).entries).toHaveLength(1);
    const signed = () => open([{ ...source(), publicKey: pem, required: true }]);
    await expect(signed()).rejects.toMatchObject({ code: "checksum_mismatch" });
    server.routes.set("/registry.json.sig", sign(null, Buffer.from("another text"), privateKey).toString("base64"));
    await expect(signed()).rejects.toMatchObject({ code: "checksum_mismatch" });
    server.routes.set("/registry.json.sig", sign(null, Buffer.from(text), privateKey).toString("base64"));
    expect((await signed()).entries).toHaveLength(1);
  });

  it("sends a token to its own server alone", async () => {
    const other = await new TestServer().start();
    const seen: unknown[] = [];
    other.routes.set("/registry.json", (request, response) => {
      seen.push(request.headers.authorization);
      response.end(document("1.0.0"));
    });
    server.routes.set("/registry.json", (request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(302, { location: `${other.url}/registry.json` }).end();
    });
    expect(await versionOf(open([{ ...source(), headers: { authorization: "Bearer t" } }]))).toBe("1.0.0");
    expect(seen).toEqual(["Bearer t", undefined]);
    await other.close();
  });

  it("a damaged cache is a missing one", async () => {
    server.routes.set("/registry.json", document("1.0.0"));
    await open([source()]);
    const [name = ""] = readdirSync(join(place.path, "cache"));
    for (const text of ["", "{", "null", '{"text":"{}","fetchedAt":1,"checkedAt":1,"sha256":"x"}']) {
      writeFileSync(join(place.path, "cache", name), text);
      expect(await versionOf(open([source()], { maxAgeMs: 1e12 }))).toBe("1.0.0");
    }
  });
});

describe("several sources", () => {
  it("are merged in order: the first that has an id describes the agent", async () => {
    writeFileSync(join(place.path, "company.json"), document("9.0.0"));
    server.routes.set(
      "/registry.json",
      JSON.stringify({ version: "1.0.0", agents: [agentOf(npx("1.0.0")), agentOf(npx("1.0.0"), { id: "other" })] }),
    );
    const registry = await open([{ file: join(place.path, "company.json"), name: "company" }, source()]);
    expect(registry.get("small")).toMatchObject({ source: "company", agent: { version: "9.0.0" } });
    expect(registry.entries.map(({ agent }) => agent.id)).toEqual(["other", "small"]);
    expect(registry.search("OTH").map(({ agent }) => agent.id)).toEqual(["other"]);
  });

  it("one that can't be read is reported and the others are used, unless it is required", async () => {
    server.routes.set("/registry.json", document("1.0.0"));
    const missing = { file: join(place.path, "missing.json") };
    const registry = await open([missing, source()]);
    expect(registry.sources.map(({ state }) => state)).toEqual(["unavailable", "current"]);
    await expect(open([{ ...missing, required: true }, source()])).rejects.toMatchObject({ code: "unreachable" });
  });

  it("offline and for the first time, the snapshot of the package is used, with its day", async () => {
    const registry = await openRegistry({ cacheDirectory: join(place.path, "cache"), offline: true });
    expect(registry.sources).toMatchObject([
      { name: "the public registry", state: "snapshot", checkedAt: expect.any(Number) },
    ]);
    expect(registry.sources[0]?.problems.filter(({ path }) => path !== "")).toEqual([]);
    expect(registry.entries.length).toBeGreaterThan(10);
    expect(registry.get("gemini")?.agent.distribution.npx?.package).toMatch(/^@google\/gemini-cli@/);
  });

  it("an unknown name has the three nearest", async () => {
    const registry = await openRegistry({ cacheDirectory: join(place.path, "cache"), offline: true });
    expect(() => registry.getOrThrow("gemni")).toThrow(
      /No registry has an agent "gemni". The nearest names are gemini, /,
    );
    expect(() => registry.getOrThrow("claude")).toThrow(/are claude-acp, /);
  });
});
