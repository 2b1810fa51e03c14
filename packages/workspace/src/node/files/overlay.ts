/** A file, by the path that the agent uses and by its real path. */
export interface OverlayFile {
  readonly sessionId: string;
  readonly path: string;
  /** Links resolved. The file may not exist yet. */
  readonly realPath: string;
}

/**
 * The unsaved text of an editor. It is called only after the path has been checked: refused paths never get here.
 *
 * @see https://agentclientprotocol.com/protocol/v1/file-system
 */
export interface Overlay {
  /** Returns the text of an open file with its unsaved changes; `undefined` when it isn't open. */
  read?(file: OverlayFile): string | undefined | PromiseLike<string | undefined>;
  /** Takes over a write: the editor shows and saves the text, and no file is written here. Returns `false` to decline. */
  write?(file: OverlayFile, content: string): boolean | PromiseLike<boolean>;
  /** Called when the file has been written here: an editor that shows it should reload it. */
  written?(file: OverlayFile, content: string): void;
  /** Called when the file has been deleted. */
  deleted?(file: OverlayFile): void;
  /** Called when the file has been renamed. */
  renamed?(file: OverlayFile, target: OverlayFile): void;
}
