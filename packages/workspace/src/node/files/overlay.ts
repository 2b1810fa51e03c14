/** A file, with the path that the agent uses and its real path. */
export interface OverlayFile {
  readonly sessionId: string;
  readonly path: string;
  /** The path of the file with all links resolved. The file may not exist yet. */
  readonly realPath: string;
}

/**
 * The unsaved text of files that are open in an editor. An agent reads and writes this text instead of the files. The
 * methods are called only after the path was checked, so they never receive a refused path.
 *
 * @see https://agentclientprotocol.com/protocol/v1/file-system
 */
export interface Overlay {
  /** Returns the text of a file that is open in the editor, with unsaved changes; `undefined` if it isn't open. */
  read?(file: OverlayFile): string | undefined | PromiseLike<string | undefined>;
  /** Writes a text into the editor, which saves it. If it returns `false`, the library writes the file. */
  write?(file: OverlayFile, content: string): boolean | PromiseLike<boolean>;
  /** Called after the library has written a file: an editor that shows the file should reload it. */
  written?(file: OverlayFile, content: string): void;
  /** Called after the library has deleted a file. */
  deleted?(file: OverlayFile): void;
  /** Called after the library has renamed a file. */
  renamed?(file: OverlayFile, target: OverlayFile): void;
}
