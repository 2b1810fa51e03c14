import { resolve } from "node:path";
import type { DeleteFileRequest, RenameFileRequest } from "@acp-kit/protocol/internal";
import { checkOptions, limitsAmong, type OptionKinds, shorten } from "@acp-kit/protocol/internal";
import type {
  ReadTextFileRequest,
  ReadTextFileResponse,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from "@acp-kit/types";
import { assertCount } from "../assert-count.js";
import { type Root, rootsOf } from "../roots.js";
import type { WorkspaceContext } from "../workspace-context.js";
import { Confinement, type Purpose } from "./confinement.js";
import { deleteFile, fileOrLink } from "./delete-file.js";
import { fold } from "./deny-list.js";
import { type FileSystem, nodeFileSystem } from "./file-system.js";
import { type FileAccess, type WorkspaceFilesOptions, workspaceFilesDefaults } from "./files-options.js";
import { nameProblem } from "./name-problem.js";
import { openForReading } from "./open-file.js";
import type { OverlayFile } from "./overlay.js";
import { PathLocks } from "./path-locks.js";
import { chunksOf, readLines, tooLarge } from "./read-lines.js";
import { MAX_PATH_CHARACTERS, reasonOf } from "./refusal.js";
import { renameFile } from "./rename-file.js";
import { explain } from "./system-failure.js";
import { TemporaryFiles } from "./temporary-files.js";
import { systemTracking, type Tracking } from "./tracking.js";
import { type FileRules, type HeldEntry, withEntry } from "./with-entry.js";
import { writeFile } from "./write-file.js";

/** The handlers of `fs/*` methods, for the option `files` of `connectAgent`, which advertises them. */
export interface WorkspaceFiles {
  readTextFile(params: ReadTextFileRequest, context: WorkspaceContext): Promise<ReadTextFileResponse>;
  writeTextFile?(params: WriteTextFileRequest, context: WorkspaceContext): Promise<WriteTextFileResponse>;
  deleteFile?(params: DeleteFileRequest, context: WorkspaceContext): Promise<void>;
  renameFile?(params: RenameFileRequest, context: WorkspaceContext): Promise<void>;
}

/**
 * Creates handlers through which an agent reads and writes the files of some folders. No path and no symbolic link
 * leads the agent to a file outside these folders.
 *
 * The real path of each file is checked before and after opening it. A file whose real path can't be determined is
 * refused. The README of the package lists the guarantees for each system.
 *
 * @throws {TypeError} for an invalid pattern in `deny`, and for a limit that is `NaN`, negative or not a number.
 * @see https://agentclientprotocol.com/protocol/v1/file-system
 */
export function workspaceFiles(options: WorkspaceFilesOptions = {}): WorkspaceFiles {
  checkOptions("workspaceFiles", options, optionKinds);
  return filesWith(options, systemTracking);
}

const optionKinds: OptionKinds<WorkspaceFilesOptions> = {
  roots: "value",
  readOnly: "value",
  deleteAndRename: "value",
  deny: "value",
  hardLinks: ["search", "refuse"],
  overlay: "value",
  onAccess: "function",
  missing: ["error", "empty"],
  lineEndings: ["keep", "asGiven"],
  maxReadBytes: "value",
  maxWriteBytes: "value",
};

/** The maximum number of bytes of a file that one request may read to find the requested lines. */
const MAX_SCAN_BYTES = 268_435_456;

/**
 * @internal Does the same as {@link workspaceFiles}. Tests pass the tracking of another system, or a file system that
 * fails.
 */
export function filesWith(
  options: WorkspaceFilesOptions,
  tracking: Tracking,
  fileSystem: FileSystem = nodeFileSystem,
  maxScanBytes: number = MAX_SCAN_BYTES,
): WorkspaceFiles {
  const files = new Files(options, tracking, fileSystem, maxScanBytes);
  return {
    readTextFile: (params, context) => files.read(params, context),
    ...(!options.readOnly && { writeTextFile: (params, context) => files.write(params, context) }),
    ...(!options.readOnly &&
      options.deleteAndRename && {
        deleteFile: (params, context) => files.delete(params, context),
        renameFile: (params, context) => files.rename(params, context),
      }),
  } satisfies WorkspaceFiles;
}

/** Stores facts about an access in progress. The report of the access, {@link FileAccess}, contains them. */
type Note = (known: { readonly realPath?: string; readonly bytes?: number }) => void;

class Files {
  readonly #options: WorkspaceFilesOptions;
  readonly #limits: typeof workspaceFilesDefaults & { readonly maxScanBytes: number };
  readonly #rules: FileRules;
  /** Locks by the path that the agent sent: requests for one path are handled in order. */
  readonly #pathLocks = new PathLocks();
  /**
   * Locks by directory and name: one request at a time changes a file, whatever path or link the request uses. They are
   * always acquired after {@link #pathLocks}.
   */
  readonly #placeLocks = new PathLocks();

  constructor(options: WorkspaceFilesOptions, tracking: Tracking, fileSystem: FileSystem, maxScanBytes: number) {
    this.#options = options;
    this.#limits = { ...limitsAmong("workspaceFiles", workspaceFilesDefaults, options), maxScanBytes };
    this.#rules = {
      confinement: new Confinement(options.deny ?? [], options.hardLinks),
      tracking,
      fileSystem,
      temporaryFiles: new TemporaryFiles(),
    };
  }

  read(params: ReadTextFileRequest, context: WorkspaceContext): Promise<ReadTextFileResponse> {
    const { sessionId, path, line, limit } = params;
    assertCount("line", line);
    assertCount("limit", limit);
    const { overlay, missing } = this.#options;
    let isSessionKnown = false; // an unknown session has the error -32002, too
    return this.#access("read", params, context, async (roots, note) => {
      isSessionKnown = true;
      const { realPath } = await this.#rules.confinement.find(path, roots, { change: false });
      note({ realPath });
      const window = { path, line, limit, ...this.#limits };
      const unsaved = await overlay?.read?.({ sessionId, path, realPath });
      const content =
        unsaved === undefined
          ? await this.#readSaved(roots, window, context, note)
          : await readLines([Buffer.from(unsaved)], window);
      note({ bytes: Buffer.byteLength(content) });
      return { content };
    }).catch((error: unknown) => {
      if (missing === "empty" && isSessionKnown && (error as { code?: unknown }).code === -32002)
        return { content: "" };
      throw error;
    });
  }

  write(params: WriteTextFileRequest, context: WorkspaceContext): Promise<WriteTextFileResponse> {
    const { sessionId, path, content } = params;
    const { overlay, lineEndings } = this.#options;
    const { maxWriteBytes, maxScanBytes } = this.#limits;
    const { signal } = context;
    const purpose = { change: true, makeDirectories: true };
    return this.#access("write", params, context, async (roots, note) => {
      if (Buffer.byteLength(content) > maxWriteBytes) throw tooLarge(path, maxWriteBytes, "not written");
      const { realPath } = await this.#rules.confinement.find(path, roots, purpose);
      note({ realPath });
      const file = { sessionId, path, realPath };
      if (!(await overlay?.write?.(file, content))) {
        const request = { path, content, keepLineEndings: lineEndings === "keep", maxScanBytes, maxWriteBytes, signal };
        const written = await withEntry(path, roots, purpose, this.#rules, async (entry) => {
          const bytes = await this.#atPlaces([entry], () => writeFile(entry, request, this.#rules));
          await this.#rules.temporaryFiles.removeStale(entry.directory);
          return bytes === undefined ? undefined : { bytes, realPath: entry.realPath };
        });
        note(written);
        overlay?.written?.({ ...file, realPath: written.realPath }, content);
      }
      return {};
    });
  }

  delete(params: DeleteFileRequest, context: WorkspaceContext): Promise<void> {
    const { sessionId, path } = params;
    return this.#access("delete", params, context, async (roots, note) => {
      const purpose: Purpose = { change: true, entry: true };
      await withEntry(path, roots, purpose, this.#rules, async (entry) => {
        note({ realPath: entry.realPath });
        const deleted = await this.#atPlaces([entry], () => deleteFile(entry, path, this.#rules.fileSystem));
        if (deleted) this.#options.overlay?.deleted?.({ sessionId, path, realPath: entry.realPath });
        return deleted;
      });
    });
  }

  rename(params: RenameFileRequest, context: WorkspaceContext): Promise<void> {
    const { sessionId, path, targetPath } = params;
    return this.#access("rename", params, context, async (roots, note) => {
      const purpose: Purpose = { change: true, entry: true };
      await withEntry(path, roots, purpose, this.#rules, async (from) => {
        note({ realPath: from.realPath });
        // No folder is created for a file that can't be renamed.
        await fileOrLink(from.directory.entry(from.name), path, this.#rules.fileSystem);
        return withEntry(targetPath, roots, { ...purpose, makeDirectories: true }, this.#rules, async (to) => {
          const renamed = await this.#atPlaces([from, to], () => renameFile(from, to, params, this.#rules.fileSystem));
          if (renamed) {
            const file = (at: string, realPath: string): OverlayFile => ({ sessionId, path: at, realPath });
            this.#options.overlay?.renamed?.(file(path, from.realPath), file(targetPath, to.realPath));
          }
          return renamed;
        });
      });
    });
  }

  async #readSaved(
    roots: readonly Root[],
    window: Parameters<typeof readLines>[1],
    { signal }: WorkspaceContext,
    note: Note,
  ): Promise<string> {
    const { handle, place } = await openForReading(window.path, roots, this.#rules);
    note({ realPath: place.realPath });
    try {
      return await readLines(chunksOf(handle, signal), window);
    } finally {
      await handle.close();
    }
  }

  /** Runs a change of entries while no other request changes the same entries. */
  async #atPlaces<Result>(entries: readonly HeldEntry[], action: () => Promise<Result>): Promise<Result> {
    const keys = await Promise.all(
      entries.map(async ({ directory, name }) => `${await directory.identity()}/${fold(name)}`),
    );
    return this.#placeLocks.run(keys, action);
  }

  async #access<Result>(
    kind: FileAccess["kind"],
    params: { readonly sessionId: string; readonly path: string; readonly targetPath?: string },
    context: WorkspaceContext,
    action: (roots: readonly Root[], note: Note) => Promise<Result>,
  ): Promise<Result> {
    const { sessionId, path, targetPath } = params;
    const about = {
      kind,
      sessionId,
      path: shorten(path, MAX_PATH_CHARACTERS),
      ...(targetPath !== undefined && { targetPath: shorten(targetPath, MAX_PATH_CHARACTERS) }),
    };
    let known: { readonly realPath?: string; readonly bytes?: number } = {};
    const note: Note = (more) => {
      known = { ...known, ...more };
    };
    try {
      const result = await this.#pathLocks.run(lockKeysOf(params), () =>
        action(rootsOf(this.#options.roots ?? "session", sessionId, context), note),
      );
      this.#report({ ...about, ...known, outcome: "done" });
      return result;
    } catch (error) {
      const explained = context.signal.aborted ? error : explain(error, path);
      const reason = reasonOf(explained);
      this.#report({ ...about, ...known, outcome: reason === undefined ? "failed" : "refused", reason });
      throw explained;
    }
  }

  #report(access: FileAccess): void {
    try {
      this.#options.onAccess?.(access);
    } catch {
      // An error of the application's listener has no effect on the access.
    }
  }
}

/** Returns the normalised paths of a request. An invalid path needs no lock, because the request is refused later. */
function lockKeysOf({ path, targetPath }: { readonly path: string; readonly targetPath?: string }): string[] {
  const paths = targetPath === undefined ? [path] : [path, targetPath];
  return paths.filter((each) => nameProblem(each, process.platform) === undefined).map((each) => resolve(each));
}
