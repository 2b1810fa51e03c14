import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Parser } from "tar";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../test/fixtures.js";
import { type TarEntry, tarOf } from "../../../test/tar.js";
import { type ZipEntry, zipOf } from "../../../test/zip.js";
import { fixedInstallLimits, installDefaults } from "../install/install-options.js";
import type { ArchiveLimits } from "./archive-limits.js";
import { unpack } from "./unpack.js";

let place: ReturnType<typeof temporaryFolder>;
let folder: string;
beforeEach(() => {
  place = temporaryFolder();
  folder = join(place.path, "content");
  mkdirSync(folder);
});
afterEach(() => place.remove());

const archiveDefaults: ArchiveLimits = { ...installDefaults, ...fixedInstallLimits };

async function unpackTar(entries: readonly TarEntry[], limits = archiveDefaults): Promise<void> {
  writeFileSync(join(place.path, "a.tgz"), gzipSync(tarOf(entries)));
  await unpack(join(place.path, "a.tgz"), "tar.gz", folder, limits);
}

async function unpackZip(entries: readonly ZipEntry[], limits = archiveDefaults): Promise<void> {
  writeFileSync(join(place.path, "a.zip"), zipOf(entries));
  await unpack(join(place.path, "a.zip"), "zip", folder, limits);
}

/** Expects that the archive wrote nothing outside the folder `content`. */
/** The paths of the files that this process has open. Linux only. */
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // closed since
    }
  });
}

function expectNothingOutside(): void {
  expect(readdirSync(place.path).filter((name) => !/^(a\.\w+|content)$/.test(name))).toEqual([]);
}

describe("archives of agents", () => {
  const files = [
    { name: "agent/", type: "5" as const },
    { name: "agent/bin/run", content: "#!/bin/sh\n", mode: 0o755 },
    { name: "./agent/readme.txt", content: "hello" },
  ];

  it("unpacks tar.gz and tar, with executable bits and links", async () => {
    await unpackTar([
      ...files,
      { name: "agent/run", type: "2", link: "bin/run" },
      { name: "copy", type: "1", link: "agent/readme.txt" },
    ]);
    expect(readFileSync(join(folder, "agent/readme.txt"), "utf8")).toBe("hello");
    expect(readFileSync(join(folder, "copy"), "utf8")).toBe("hello");
    if (process.platform !== "win32") expect(statSync(join(folder, "agent/bin/run")).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(folder, "agent/run"))).toBe("bin/run");

    writeFileSync(join(place.path, "a.tar"), tarOf(files));
    mkdirSync(join(folder, "plain"));
    await unpack(join(place.path, "a.tar"), "tar", join(folder, "plain"), archiveDefaults);
    expect(readFileSync(join(folder, "plain/agent/readme.txt"), "utf8")).toBe("hello");
  });

  const bzip2 = ((): boolean => {
    try {
      execFileSync("bzip2", ["--help"], { stdio: "ignore" });
      return true;
    } catch {
      console.log("Not run: making a tar.bz2 archive, because there is no bzip2.");
      return false;
    }
  })();
  it.skipIf(!bzip2)("unpacks tar.bz2, and reports an incomplete one", async () => {
    const large = { name: "large", content: Buffer.alloc(3_000_000, "0123456789") };
    writeFileSync(join(place.path, "a.tbz2"), execFileSync("bzip2", ["-c"], { input: tarOf([...files, large]) }));
    await unpack(join(place.path, "a.tbz2"), "tar.bz2", folder, archiveDefaults);
    expect(statSync(join(folder, "large")).size).toBe(3_000_000);
    const damaged = readFileSync(join(place.path, "a.tbz2"));
    writeFileSync(join(place.path, "a.tbz2"), damaged.subarray(0, damaged.length / 2));
    mkdirSync(join(folder, "half"));
    await expect(
      unpack(join(place.path, "a.tbz2"), "tar.bz2", join(folder, "half"), archiveDefaults),
    ).rejects.toMatchObject({
      code: "bad_archive",
    });
  });

  it("unpacks zip, with executable bits and symbolic links", async () => {
    await unpackZip([
      { name: "agent/" },
      { name: "agent/bin/run", content: "#!/bin/sh\n", mode: 0o100755 },
      { name: "agent/readme.txt", content: "hello" },
      { name: "agent/run", content: "bin/run", mode: 0o120777 },
    ]);
    expect(readFileSync(join(folder, "agent/readme.txt"), "utf8")).toBe("hello");
    expect(readFileSync(join(folder, "agent/run"), "utf8")).toBe("#!/bin/sh\n");
    if (process.platform !== "win32") expect(statSync(join(folder, "agent/bin/run")).mode & 0o777).toBe(0o755);
  });

  it.each(["tar.gz", "zip"] as const)("an aborted signal stops %s within an entry", async (kind) => {
    const large = { name: "large", content: Buffer.alloc(64_000_000) };
    writeFileSync(join(place.path, "a.file"), kind === "zip" ? zipOf([large]) : gzipSync(tarOf([large])));
    const stop = new AbortController();
    const watcher = watch(folder, () => stop.abort(new Error("enough"))); // at the first bytes of the entry
    try {
      await expect(unpack(join(place.path, "a.file"), kind, folder, archiveDefaults, stop.signal)).rejects.toThrow(
        "enough",
      );
    } finally {
      watcher.close();
    }
    expect(statSync(join(folder, "large")).size).toBeLessThan(large.content.length);
  });

  it("uses the long name of a pax header", async () => {
    const name = `${"folder/".repeat(20)}${"n".repeat(120)}`;
    const record = ` path=${name}\n`;
    const pax = `${record.length + 3}${record}`;
    await unpackTar([
      { name: "pax", type: "x" as never, content: pax },
      { name: "short", content: "long" },
    ]);
    expect(readFileSync(join(folder, name), "utf8")).toBe("long");
  });
});

const content = "bad";
const unsafeNames = [
  "../outside",
  "a/../../outside",
  "/tmp/acp-kit-outside",
  "..\\outside",
  "a\\..\\..\\outside",
  "C:\\outside",
  "C:outside",
  "\\\\server\\share",
  "NUL",
  "a/aux.txt",
  "name. ",
  "file:stream",
  `${"d/".repeat(80)}deep`,
  "n".repeat(300),
];

describe("registry.archives: malicious archives", () => {
  it.each(unsafeNames.filter((name) => name.length <= 100))("refuses the name %j in a tar archive", async (name) => {
    await expect(
      unpackTar([
        { name: "good", content },
        { name, content },
      ]),
    ).rejects.toMatchObject({ code: "unsafe_archive" });
    expectNothingOutside();
  });

  it.each(unsafeNames)("refuses the name %j in a zip archive", async (name) => {
    await expect(
      unpackZip([
        { name: "good", content },
        { name, content },
      ]),
    ).rejects.toMatchObject({ code: "unsafe_archive" });
    expectNothingOutside();
  });

  it.each(["..", "../outside", "/etc", "a/../../..", "C:\\windows", "sub/../../outside"])(
    "refuses a symbolic link to %j",
    async (link) => {
      await expect(unpackTar([{ name: "sub/x" }, { name: "link", type: "2", link }])).rejects.toMatchObject({
        code: "unsafe_archive",
      });
      expectNothingOutside();
      mkdirSync(join(folder, "zip"));
      writeFileSync(join(place.path, "a.zip"), zipOf([{ name: "link", content: link, mode: 0o120777 }]));
      await expect(
        unpack(join(place.path, "a.zip"), "zip", join(folder, "zip"), archiveDefaults),
      ).rejects.toMatchObject({
        code: "unsafe_archive",
      });
    },
  );

  it("refuses a file whose path leads through a link", async () => {
    const through = [
      { name: "link", type: "2" as const, link: "." },
      { name: "link/file", content },
    ];
    await expect(unpackTar(through)).rejects.toMatchObject({ code: "unsafe_archive" });
    expectNothingOutside();
  });

  it("refuses links of which only the combination leads out of the folder", async () => {
    // The text of each target stays inside; the system resolves `deep/up/..` to the parent of the folder.
    writeFileSync(join(place.path, "a.secret"), "secret");
    const chain = [
      { name: "deep/x", content },
      { name: "deep/up", type: "2" as const, link: ".." },
      { name: "out", type: "2" as const, link: "deep/up/../a.secret" },
    ];
    await expect(unpackTar(chain)).rejects.toMatchObject({ code: "unsafe_archive" });
  });

  it("creates no folder outside through such links", async () => {
    const chain = [
      { name: "a/b/x", content },
      { name: "a/b/c", type: "2" as const, link: "../.." },
      { name: "up", type: "2" as const, link: "a/b/c/.." },
      { name: "up/made/link", type: "2" as const, link: "x" },
    ];
    await expect(unpackTar(chain)).rejects.toMatchObject({ code: "unsafe_archive" });
    expectNothingOutside();
  });

  it.skipIf(process.platform !== "linux")(
    "closes the file of a zip archive after an entry that can't be written",
    async () => {
      const twice = { name: "twice", content: randomBytes(2_000_000) };
      await expect(unpackZip([twice, twice])).rejects.toMatchObject({ code: "unsafe_archive" });
      // The system closes a file a moment after its stream has ended.
      await vi.waitFor(() => expect(openFiles()).not.toContain(join(place.path, "a.zip")));
    },
  );

  it("refuses a hard or symbolic link to a file outside the folder", async () => {
    writeFileSync(join(place.path, "a.secret"), "secret");
    for (const type of ["1", "2"] as const) {
      await expect(unpackTar([{ name: "stolen", type, link: "../a.secret" }])).rejects.toMatchObject({
        code: "unsafe_archive",
      });
      expect(existsSync(join(folder, "stolen"))).toBe(false);
    }
  });

  it("refuses links whose targets do not exist", async () => {
    await expect(unpackTar([{ name: "gone", type: "1", link: "nothing" }])).rejects.toMatchObject({
      code: "unsafe_archive",
    });
    await expect(unpackTar([{ name: "gone", type: "2", link: "nothing" }])).rejects.toMatchObject({
      code: "unsafe_archive",
    });
  });

  it.each([
    ["3", "a character device"],
    ["4", "a block device"],
    ["6", "a pipe"],
  ] as const)("refuses the entry type %s, %s", async (type, _name) => {
    await expect(unpackTar([{ name: "device", type }])).rejects.toMatchObject({ code: "unsafe_archive" });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([0o020666, 0o060666, 0o010666, 0o140777])("refuses a zip entry with the mode %o", async (mode) => {
    await expect(unpackZip([{ name: "device", mode }])).rejects.toMatchObject({ code: "unsafe_archive" });
  });

  it("refuses an entry that would replace another entry", async () => {
    await expect(
      unpackTar([
        { name: "twice", content: "1" },
        { name: "./twice", content: "2" },
      ]),
    ).rejects.toMatchObject({ code: "unsafe_archive" });
    expect(readFileSync(join(folder, "twice"), "utf8")).toBe("1");
  });

  it("does not set setuid, setgid and sticky bits", async () => {
    await unpackTar([{ name: "su", content, mode: 0o6755 }]);
    if (process.platform !== "win32") expect(statSync(join(folder, "su")).mode & 0o7000).toBe(0);
  });

  it("refuses archive bombs: too large, too many entries, a wrong declared size, a large header", async () => {
    const limits = { maxUnpackedBytes: 1_000_000, maxEntries: 100 };
    const large = { name: "large", content: Buffer.alloc(20_000_000) };
    await expect(unpackTar([large], limits)).rejects.toMatchObject({ code: "too_large" });
    await expect(unpackZip([{ ...large, name: "z" }], limits)).rejects.toMatchObject({ code: "too_large" });
    const many = Array.from({ length: 101 }, (_, index) => ({ name: `f${index}` }));
    mkdirSync(join(folder, "many"));
    writeFileSync(join(place.path, "a.tar"), tarOf(many));
    await expect(unpack(join(place.path, "a.tar"), "tar", join(folder, "many"), limits)).rejects.toMatchObject({
      code: "too_large",
    });
    await expect(unpackZip(many, limits)).rejects.toMatchObject({ code: "too_large" });
    const deep = Array.from({ length: 20 }, (_, index) => ({ name: `${index}/${"d/".repeat(20)}f` }));
    await expect(unpackZip(deep, limits)).rejects.toMatchObject({ code: "too_large" });
    await expect(unpackZip([{ name: "lie", content: Buffer.alloc(900_000), size: 10 }], limits)).rejects.toMatchObject({
      code: "bad_archive",
    });
    // A header larger than the limit: its bytes are counted, but not stored.
    await expect(
      unpackTar([{ name: "pax", type: "x" as never, content: Buffer.alloc(20_000_000, 65) }, { name: "f" }], limits),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(too_large|bad_archive)$/) });
  });

  it("refuses an archive that is far smaller than its content, without unpacking it", async () => {
    // 60 MB of zeros in 81 bytes
    const zeros =
      "QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZpertMgBsAOAAwAAAEAAIIAAwzAUppoAKWwgBS8XckU4UJC5+SiMA";
    const file = join(place.path, "a.tbz2");
    writeFileSync(file, Buffer.from(zeros, "base64"));
    await expect(unpack(file, "tar.bz2", folder, archiveDefaults)).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("16866316"),
    });
  });

  it.each(["tar", "tar.gz"] as const)("passes nothing after the end of a %s archive to the parser", async (kind) => {
    const write = vi.spyOn(Parser.prototype, "write");
    const bytes = Buffer.concat([tarOf([{ name: "f", content }]), Buffer.alloc(3_000_000), Buffer.from("trailing")]);
    writeFileSync(join(place.path, "a.file"), kind === "tar" ? bytes : gzipSync(bytes));
    await unpack(join(place.path, "a.file"), kind, folder, archiveDefaults);
    expect(readFileSync(join(folder, "f"), "utf8")).toBe(content);
    expect(write.mock.calls.length).toBeLessThan(5);
    write.mockRestore();
  });

  it("refuses a link with a long target before it is kept for the end of the archive", async () => {
    const target = `${"t/".repeat(4_000)}x`;
    await expect(
      unpackTar([
        { name: "././@LongLink", type: "K", content: target },
        { name: "link", type: "2", link: "t" },
        { name: "../outside", content: "never reached" },
      ]),
    ).rejects.toMatchObject({ code: "unsafe_archive", message: expect.stringContaining("a target of more than 4096") });
  });

  it("reports damaged archives as bad_archive", async () => {
    const whole = gzipSync(tarOf([{ name: "file", content: Buffer.alloc(100_000, 1) }]), { level: 0 });
    for (const [name, kind, bytes] of [
      ["a.half", "tar.gz", whole.subarray(0, whole.length / 2)],
      ["a.tail", "tar.gz", whole.subarray(0, whole.length - 4)],
      ["a.cut", "tar", tarOf([{ name: "file", content: Buffer.alloc(100_000, 1) }]).subarray(0, 50_000)],
      ["a.text", "tar.gz", Buffer.from("<html>not found</html>")],
      ["a.bz", "tar.bz2", Buffer.from("BZh9 this is not one")],
      ["a.empty", "tar", Buffer.alloc(0)],
      ["a.page", "zip", Buffer.from("<html>not found</html>")],
      ["a.zipped", "zip", zipOf([{ name: "file", content: "x" }]).subarray(0, 60)],
    ] as const) {
      writeFileSync(join(place.path, name), bytes);
      const target = join(folder, name);
      mkdirSync(target);
      await expect(unpack(join(place.path, name), kind, target, archiveDefaults), name).rejects.toMatchObject({
        code: "bad_archive",
      });
    }
  });

  it("refuses a sparse file, because the tar reader would leave it out", async () => {
    await expect(
      unpackTar([
        { name: "kept", content: "x" },
        { name: "sparse", type: "S", content: "y" },
      ]),
    ).rejects.toMatchObject({ code: "unsafe_archive", message: expect.stringContaining('"sparse" of the type') });
  });

  it("refuses a name that is longer than the limit of headers, and does not use its short form", async () => {
    const name = "n/".repeat(600_000);
    await expect(
      unpackTar([
        { name: "././@LongLink", type: "L", content: name },
        { name: "short", content: "x" },
      ]),
    ).rejects.toMatchObject({ code: "too_large" });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("reports a zip entry whose bytes do not match its checksum as bad_archive", async () => {
    await expect(unpackZip([{ name: "file", content: "damaged", checksumOf: "whole" }])).rejects.toMatchObject({
      code: "bad_archive",
      message: expect.stringContaining('"file"'),
    });
    await expect(
      unpackZip([
        { name: "target", content: "x" },
        { name: "link", content: "target", checksumOf: "other", mode: 0o120777 },
      ]),
    ).rejects.toMatchObject({ code: "bad_archive" });
  });

  it("does not write through a link that already exists in the folder", async () => {
    // No other program writes to the folder; this test does, to check the writer on its own.
    symlinkSync(place.path, join(folder, "evil"));
    await expect(unpackTar([{ name: "evil", content }])).rejects.toMatchObject({ code: "unsafe_archive" });
    expectNothingOutside();
  });
});
