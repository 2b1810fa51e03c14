import { chmodSync, chownSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type FaultPlan, faultyFileSystem } from "../../../test/faulty-file-system.js";
import { contextOf, errorOf, type Playground, playground } from "../../../test/playground.js";
import { pathsBelow } from "../../../test/tree.js";
import { systemTracking, type Tracking } from "./tracking.js";
import { filesWith, type WorkspaceFiles } from "./workspace-files.js";

const trackings = [...new Set<Tracking>([systemTracking, "path"])];
const OLD = "old\r\n".repeat(1_000);
const NEW = "new\r\n".repeat(2_000);

/** A change, with the states allowed afterwards: the state before the change and the state after it. */
interface Change {
  readonly name: string;
  run(files: Required<WorkspaceFiles>, place: Playground): Promise<unknown>;
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  /** The states allowed when a second fault hits the recovery from the first. */
  readonly atWorst?: Readonly<Record<string, string>>;
  /** Calls that always fail, as on a file system that doesn't support them. */
  readonly always?: FaultPlan;
}

const at = ({ work }: Playground, name: string) => ({ sessionId: "s1", path: join(work, name) });
const changes: readonly Change[] = [
  {
    name: "writing a new file",
    run: (files, place) => files.writeTextFile({ ...at(place, "new.txt"), content: NEW }, contextOf(place.work)),
    before: { "a.txt": OLD },
    after: { "a.txt": OLD, "new.txt": NEW },
  },
  {
    name: "writing over a file",
    run: (files, place) => files.writeTextFile({ ...at(place, "a.txt"), content: NEW }, contextOf(place.work)),
    before: { "a.txt": OLD },
    after: { "a.txt": NEW },
  },
  {
    name: "deleting",
    run: (files, place) => files.deleteFile(at(place, "a.txt"), contextOf(place.work)),
    before: { "a.txt": OLD },
    after: {},
  },
  {
    name: "renaming",
    run: (files, place) =>
      files.renameFile({ ...at(place, "a.txt"), targetPath: join(place.work, "b.txt") }, contextOf(place.work)),
    before: { "a.txt": OLD },
    after: { "b.txt": OLD },
    atWorst: { "a.txt": OLD, "b.txt": OLD },
  },
  {
    name: "renaming where there are no hard links",
    run: (files, place) =>
      files.renameFile({ ...at(place, "a.txt"), targetPath: join(place.work, "b.txt") }, contextOf(place.work)),
    before: { "a.txt": OLD },
    after: { "b.txt": OLD },
    atWorst: { "a.txt": OLD, "b.txt": "" },
    always: (call) => (call === "link" ? "ENOTSUP" : undefined),
  },
];

const contents = ({ work }: Playground): Record<string, string> =>
  Object.fromEntries(pathsBelow(work).map(({ path }) => [path, readFileSync(join(work, path), "utf8")]));

describe.each(trackings)("files whose system fails (tracking by %s)", (tracking) => {
  function setup({ always }: Change, plan: FaultPlan) {
    const place = playground();
    place.file("work/a.txt", OLD);
    const fileSystem = faultyFileSystem((...call) => always?.(...call) ?? plan(...call));
    const files = filesWith({ deleteAndRename: true, lineEndings: "keep" }, tracking, fileSystem);
    return { place, fileSystem, files: files as Required<WorkspaceFiles> };
  }

  describe.each(["EIO", "ENOSPC", "EDQUOT", "ENFILE"])("with %s", (code) => {
    test.each(changes)(
      "workspace.whole-files: $name that fails at any step is done completely or not at all, and leaves no temporary file",
      async (change) => {
        const steps = await stepsOf(change);
        expect(steps.length).toBeGreaterThan(1);
        for (const [step, call] of steps.entries()) {
          const { place, files } = setup(change, (_, index) => (index === step ? code : undefined));
          const result = await change.run(files, place).then(
            () => "done",
            (error: unknown) => errorOf(Promise.reject(error)),
          );
          const found = contents(place);
          if (result === "done") expect([call, found]).toEqual([call, change.after]);
          else {
            expect([call, result]).toMatchObject([call, { code: -32603 }]);
            expect([call, found]).toEqual([call, change.before]);
          }
        }
      },
    );

    test.each(changes)(
      "workspace.whole-files: $name on a disk that fails for ever from any step on leaves only complete files",
      async (change) => {
        const steps = await stepsOf(change);
        for (const step of steps.keys()) {
          const { place, files } = setup(change, (_, index) => (index >= step ? code : undefined));
          await change.run(files, place).catch((error: unknown) => errorOf(Promise.reject(error)));
          const found = Object.entries(contents(place)).filter(([name]) => !name.endsWith(".tmp"));
          expect([change.before, change.after, change.atWorst]).toContainEqual(Object.fromEntries(found));
        }
      },
    );
  });

  /** The calls of a successful change. */
  async function stepsOf(change: Change): Promise<readonly string[]> {
    const { place, files, fileSystem } = setup(change, () => undefined);
    await change.run(files, place);
    expect(contents(place)).toEqual(change.after);
    return fileSystem.calls;
  }
});

describe("a rename on a file system without hard links", () => {
  test("workspace.no-overwrite: replaces no existing file and no link", async () => {
    const place = playground();
    const fileSystem = faultyFileSystem((call) => (call === "link" ? "EPERM" : undefined));
    const files = filesWith({ deleteAndRename: true }, systemTracking, fileSystem) as Required<WorkspaceFiles>;
    const rename = (path: string, targetPath: string) =>
      files.renameFile({ ...at(place, path), targetPath: join(place.work, targetPath) }, contextOf(place.work));
    chmodSync(place.file("work/a.txt", "a"), 0o751);
    place.file("work/b.txt", "b");
    symlinkSync("nowhere", join(place.work, "link"));
    expect(await errorOf(rename("a.txt", "b.txt"))).toMatchObject({ reason: "exists" });
    expect(await errorOf(rename("a.txt", "link"))).toMatchObject({ reason: "exists" });
    await rename("link", "link2");
    await rename("a.txt", "c.txt");
    const names = pathsBelow(place.work).map(({ path }) => path);
    expect(names.sort()).toEqual(["b.txt", "c.txt", "link2"]);
    expect(place.content("work/c.txt")).toBe("a");
    expect(place.content("work/b.txt")).toBe("b");
  });
});

describe.runIf(process.getuid?.() === 0)("a file whose owner can't be preserved", () => {
  async function overwritten(mode: number, plan: FaultPlan) {
    const place = playground();
    const files = filesWith({}, systemTracking, faultyFileSystem(plan)) as Required<WorkspaceFiles>;
    const path = place.file("work/a.txt", "old");
    chownSync(path, 1_234, 5_678);
    chmodSync(path, mode);
    await files.writeTextFile({ ...at(place, "a.txt"), content: "new" }, contextOf(place.work));
    const stats = statSync(path);
    return { uid: stats.uid, gid: stats.gid, mode: (stats.mode & 0o7777).toString(8) };
  }
  const refused: FaultPlan = (call) => (call === "handle.chown" ? "EPERM" : undefined);
  /** As for a user who does not own the file, but is a member of its group. */
  const groupAllowed: FaultPlan = (call, _, [uid]) => (call === "handle.chown" && uid !== 0 ? "EPERM" : undefined);

  test("loses its set-user-id bit", async () => {
    expect(await overwritten(0o7755, refused)).toEqual({ uid: 0, gid: 0, mode: "1755" });
  });

  test("keeps its group, if the writer is a member of the group", async () => {
    expect(await overwritten(0o2664, groupAllowed)).toEqual({ uid: 0, gid: 5_678, mode: "2664" });
  });

  test.each([
    ["660", "600"],
    ["664", "644"],
    ["666", "666"],
    ["751", "711"],
  ])(
    "gives another group no more than everybody, if its group can't be preserved either: %s",
    async (mode, expected) => {
      expect(await overwritten(Number.parseInt(mode, 8), refused)).toEqual({ uid: 0, gid: 0, mode: expected });
    },
  );
});
