import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "libsql";
import { afterEach, describe, expect, test } from "vitest";
import { prompted } from "../../test/store-contract.js";
import { filled, openStore, temporaryFolder, temporaryPath, textsOf } from "../../test/temporary.js";
import { StoreError } from "../errors.js";
import type { SessionStore } from "../session-store.js";

const PAGE = 4_096;
const FRAME = PAGE + 24;

/**
 * A store's file as a power cut would leave it: its content, and the length of its log when each entry was
 * acknowledged.
 */
async function written() {
  const path = temporaryPath();
  const store = openStore({ path });
  const entries: { readonly text: string; readonly walBytes: number }[] = [];
  const { log } = await filled(store);
  const write = async (count: number, isInFile: boolean): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const text = `${entries.length} ${"x".repeat(700)}`;
      await log.append(prompted(text));
      entries.push({ text, walBytes: isInFile ? 0 : statSync(`${path}-wal`).size });
    }
  };
  await write(60, true);
  const other = new Database(path);
  other.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  other.close();
  await write(20, false);
  return { file: readFileSync(path), wal: readFileSync(`${path}-wal`), entries };
}

/** Returns the entries read from a file with these bytes, or the error. */
async function reading(file: Uint8Array, wal: Uint8Array): Promise<string[] | StoreError> {
  const path = temporaryPath();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, file);
  writeFileSync(`${path}-wal`, wal);
  let store: SessionStore | undefined;
  try {
    store = openStore({ path });
    return await textsOf(store.owner("a"));
  } catch (error) {
    expect(error).toMatchObject({ name: "StoreError", path, message: expect.stringContaining(path) });
    return error as StoreError;
  } finally {
    await store?.close();
  }
}

/** Pseudo-random numbers from a seed, so that a failure can be reproduced. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function cuts(length: number, step: number, offset: number): number[] {
  const next = random(20_261_122);
  const boundaries = Array.from({ length: Math.ceil(length / step) }, (_, index) => offset + index * step);
  return [...boundaries, ...Array.from({ length: 40 }, () => next(length))].filter((cut) => cut < length);
}

describe("a damaged file", () => {
  test("history.damage: has the entries acknowledged before the damage, at whatever byte its write-ahead log is cut", async () => {
    const { file, wal, entries } = await written();
    const all = entries.map(({ text }) => text);
    expect(await reading(file, wal)).toEqual(all);
    for (const cut of cuts(wal.length, FRAME, 32)) {
      const texts = await reading(file, wal.subarray(0, cut));
      const kept = entries.filter(({ walBytes }) => walBytes <= cut).length;
      expect(texts, `cut at ${cut}`).toEqual(all.slice(0, (texts as string[]).length));
      expect((texts as string[]).length, `cut at ${cut}`).toBeGreaterThanOrEqual(kept);
    }
  });

  test("history.damage: has the entries acknowledged before the damage, whatever follows in its write-ahead log", async () => {
    const { file, wal, entries } = await written();
    const all = entries.map(({ text }) => text);
    const next = random(7);
    for (const cut of cuts(wal.length, FRAME, 32)) {
      const torn = Buffer.from(wal);
      for (let i = cut; i < Math.min(cut + 512, torn.length); i++) torn[i] = next(256);
      const texts = await reading(file, torn);
      const kept = entries.filter(({ walBytes }) => walBytes <= cut).length;
      expect(texts, `torn at ${cut}`).toEqual(all.slice(0, (texts as string[]).length));
      expect((texts as string[]).length, `torn at ${cut}`).toBeGreaterThanOrEqual(kept);
    }
  });

  test("history.damage: is complete, or refused with an error that names the file, at whatever byte it is cut", async () => {
    const { file, entries } = await written();
    const all = entries.filter(({ walBytes }) => walBytes === 0).map(({ text }) => text);
    expect(await reading(file, new Uint8Array())).toEqual(all);
    let refused = 0;
    for (const cut of cuts(file.length, PAGE, PAGE)) {
      const read = await reading(file.subarray(0, cut), new Uint8Array());
      if (read instanceof StoreError) refused++;
      else expect(read, `cut at ${cut}`).toEqual(all);
    }
    expect(refused).toBeGreaterThan(10);
  });

  test("history.damage: is read, or refused with an error that names the file, whatever its pages contain", async () => {
    const { file, wal } = await written();
    const next = random(11);
    const codes = new Set<string>();
    for (const at of cuts(file.length, PAGE, 0)) {
      const torn = Buffer.from(file);
      for (let i = at; i < Math.min(at + 1 + next(PAGE), torn.length); i++) torn[i] = next(256);
      const read = await reading(torn, next(2) === 0 ? wal : new Uint8Array());
      if (read instanceof StoreError) codes.add(read.code);
    }
    expect(["corrupt", "foreign"]).toEqual(expect.arrayContaining([...codes]));
    expect(codes).toContain("corrupt");
  });
});

describe("a removed file", () => {
  test("history.damage: is not written any more: no lost entry is acknowledged, and other stores continue", async () => {
    const path = temporaryPath();
    const { sessions, log } = await filled(openStore({ path }), "s", 1);
    const other = await filled(openStore(), "s", 1);
    rmSync(dirname(path), { recursive: true });
    const gone = expect.objectContaining({ name: "StoreError", code: "io", path });
    for (const act of [
      () => log.append(prompted("1")),
      () => log.setTitle("x"),
      () => sessions.create({ sessionId: "t", cwd: "/", additionalDirectories: [] }),
      () => sessions.open("s"),
      () => sessions.delete("s"),
    ])
      expect(act).toThrow(gone);
    writeFileSync(join(dirname(dirname(path)), "deep"), "");
    expect(() => log.append(prompted("1"))).toThrow(expect.objectContaining({ name: "StoreError" }));
    await other.log.append(prompted("1"));
    expect(await textsOf(other.sessions)).toEqual(["0", "1"]);
  });
});

const mounted: string[] = [];
afterEach(() => {
  for (const folder of mounted.splice(0)) spawnSync("umount", ["-l", folder]);
});

/** A disk of its own, of this many KiB. `undefined` where this user may not mount one. */
function disk(kib: number): string | undefined {
  const folder = temporaryFolder();
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${kib}k`, "tmpfs", folder]);
  if (status !== 0) return undefined;
  mounted.push(folder);
  return folder;
}

const remount = (folder: string, options: string) =>
  expect(spawnSync("mount", ["-o", `remount,${options}`, folder]).status).toBe(0);

describe("a disk", () => {
  test("that is full keeps acknowledged entries, and continues when there is room", async ({ skip }) => {
    const folder = disk(512) ?? skip("this user may not mount a disk");
    const path = join(folder, "sessions.sqlite");
    const { sessions, log } = await filled(openStore({ path }));
    const acknowledged: string[] = [];
    const fill = async (text: string): Promise<void> => {
      await log.append(prompted(text));
      acknowledged.push(text);
    };
    const full = expect.objectContaining({ name: "StoreError", code: "full", path });
    await expect(
      (async () => {
        for (let i = 0; i < 1_000; i++) await fill(`${i} ${"x".repeat(5_000)}`);
      })(),
    ).rejects.toEqual(full);
    expect(acknowledged.length).toBeGreaterThan(10);
    expect(await textsOf(sessions)).toEqual(acknowledged);
    const other = await filled(openStore(), "s", 1);
    expect(await textsOf(other.sessions)).toEqual(["0"]);
    remount(folder, "size=2m");
    await fill("there is room again");
    expect(await textsOf(openStore({ path }).owner("a"))).toEqual(acknowledged);
  });

  test("that is full from the start is refused with an error that names the file", ({ skip }) => {
    const folder = disk(64) ?? skip("this user may not mount a disk");
    try {
      writeFileSync(join(folder, "ballast"), Buffer.alloc(2 ** 20));
    } catch {
      // It is full now.
    }
    const path = join(folder, "sessions.sqlite");
    expect(() => openStore({ path })).toThrow(expect.objectContaining({ name: "StoreError", path }));
  });

  test("that becomes read-only refuses writes", async ({ skip }) => {
    const folder = disk(1_024) ?? skip("this user may not mount a disk");
    const made = temporaryPath();
    await filled(openStore({ path: made }), "s", 1);
    const path = join(folder, "sessions.sqlite");
    for (const end of ["", "-wal"]) copyFileSync(`${made}${end}`, `${path}${end}`);
    remount(folder, "ro");
    expect(() => openStore({ path })).toThrow(expect.objectContaining({ name: "StoreError", path }));
    remount(folder, "rw");
    expect(await textsOf(openStore({ path }).owner("a"))).toEqual(["0"]);
  });
});
