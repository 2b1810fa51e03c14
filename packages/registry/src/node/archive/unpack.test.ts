import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/fixtures.js";
import { type TarEntry, tarOf } from "../../../test/tar.js";
import { type ZipEntry, zipOf } from "../../../test/zip.js";
import { archiveDefaults } from "./archive-limits.js";
import { unpack } from "./unpack.js";

let place: ReturnType<typeof temporaryFolder>;
let folder: string;
beforeEach(() => {
  place = temporaryFolder();
  folder = join(place.path, "content");
  mkdirSync(folder);
});
afterEach(() => place.remove());

async function unpackTar(entries: readonly TarEntry[], limits = archiveDefaults): Promise<void> {
  writeFileSync(join(place.path, "a.tgz"), gzipSync(tarOf(entries)));
  await unpack(join(place.path, "a.tgz"), "tar.gz", folder, limits);
}

async function unpackZip(entries: readonly ZipEntry[], limits = archiveDefaults): Promise<void> {
  writeFileSync(join(place.path, "a.zip"), zipOf(entries));
  await unpack(join(place.path, "a.zip"), "zip", folder, limits);
}

/** The archive wrote nothing beside the folder that was meant for it. */
function expectNothingOutside(): void {
  expect(readdirSync(place.path).filter((name) => !/^(a\.\w+|content)$/.test(name))).toEqual([]);
}

describe("archives of agents", () => {
  const files = [
    { name: "agent/", type: "5" as const },
    { name: "agent/bin/run", content: "#!/bin/sh\n", mode: 0o755 },
    { name: "./agent/readme.txt", content: "hello" },
  ];

  it("tar.gz, tar and tar.bz2 are unpacked, with the bit that makes a file a program", async () => {
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
  it.skipIf(!bzip2)("tar.bz2 is unpacked", async () => {
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

  it("zip is unpacked, with its symbolic links", async () => {
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

  it("a long name of a pax or GNU header is read", async () => {
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
  it.each(unsafeNames.filter((name) => name.length <= 100))("tar: the name %j is refused", async (name) => {
    await expect(
      unpackTar([
        { name: "good", content },
        { name, content },
      ]),
    ).rejects.toMatchObject({ code: "unsafe_archive" });
    expectNothingOutside();
  });

  it.each(unsafeNames)("zip: the name %j is refused", async (name) => {
    await expect(
      unpackZip([
        { name: "good", content },
        { name, content },
      ]),
    ).rejects.toMatchObject({ code: "unsafe_archive" });
    expectNothingOutside();
  });

  it.each(["..", "../outside", "/etc", "a/../../..", "C:\\windows", "sub/../../outside"])(
    "a symbolic link to %j is refused",
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

  it("a file behind a link to a folder is not written through it", async () => {
    const through = [
      { name: "link", type: "2" as const, link: "." },
      { name: "link/file", content },
    ];
    await expect(unpackTar(through)).rejects.toMatchObject({ code: "unsafe_archive" });
    expectNothingOutside();
  });

  it("links that lead out only together are refused", async () => {
    // Each alone stays inside by its text; the system resolves `up/..` to the parent of the folder.
    writeFileSync(join(place.path, "a.secret"), "secret");
    const chain = [
      { name: "deep/x", content },
      { name: "deep/up", type: "2" as const, link: ".." },
      { name: "out", type: "2" as const, link: "deep/up/../a.secret" },
    ];
    await expect(unpackTar(chain)).rejects.toMatchObject({ code: "unsafe_archive" });
  });

  it("a link to a file that the user already has is refused, hard or symbolic", async () => {
    writeFileSync(join(place.path, "a.secret"), "secret");
    for (const type of ["1", "2"] as const) {
      await expect(unpackTar([{ name: "stolen", type, link: "../a.secret" }])).rejects.toMatchObject({
        code: "unsafe_archive",
      });
      expect(existsSync(join(folder, "stolen"))).toBe(false);
    }
  });

  it("a hard link to a symbolic link, and links to nothing, are refused", async () => {
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
  ] as const)("type %s, %s, is refused", async (type, _name) => {
    await expect(unpackTar([{ name: "device", type }])).rejects.toMatchObject({ code: "unsafe_archive" });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([0o020666, 0o060666, 0o010666, 0o140777])("a zip entry of the mode %o is refused", async (mode) => {
    await expect(unpackZip([{ name: "device", mode }])).rejects.toMatchObject({ code: "unsafe_archive" });
  });

  it("an entry never replaces another, also where only the case differs and the system doesn't see it", async () => {
    await expect(
      unpackTar([
        { name: "twice", content: "1" },
        { name: "./twice", content: "2" },
      ]),
    ).rejects.toMatchObject({ code: "unsafe_archive" });
    expect(readFileSync(join(folder, "twice"), "utf8")).toBe("1");
  });

  it("bits for other users' rights are not taken over", async () => {
    await unpackTar([{ name: "su", content, mode: 0o6755 }]);
    if (process.platform !== "win32") expect(statSync(join(folder, "su")).mode & 0o7000).toBe(0);
  });

  it("bombs: by size, by count, and by a declared size that is a lie", async () => {
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
    await expect(unpackZip([{ name: "lie", content: Buffer.alloc(900_000), size: 10 }], limits)).rejects.toMatchObject({
      code: "bad_archive",
    });
    // A header that is larger than the archive may be: it is skipped, not kept.
    await expect(
      unpackTar([{ name: "pax", type: "x" as never, content: Buffer.alloc(20_000_000, 65) }, { name: "f" }], limits),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(too_large|bad_archive)$/) });
  });

  it("broken archives are reported as such", async () => {
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

  it("a folder in the way that is a link is not followed", async () => {
    // Nothing else writes to the folder; if something does, files still do not leave it by a link that the archive knows.
    symlinkSync(place.path, join(folder, "evil"));
    await expect(unpackTar([{ name: "evil", content }])).rejects.toMatchObject({ code: "unsafe_archive" });
    expectNothingOutside();
  });
});
