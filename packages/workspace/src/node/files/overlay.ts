/** A file, by the path the agent uses and by the one that it really has. */
export interface OverlayFile {
  readonly sessionId: string;
  readonly path: string;
  /** Links resolved. The file may not exist yet. */
  readonly realPath: string;
}

/**
 * What an editor holds in memory. It is asked after the path has been judged: what isn't allowed never gets here.
 *
 * @see https://agentclientprotocol.com/protocol/v1/file-system
 */
export interface Overlay {
  /** The text of an open file with its unsaved changes; `undefined` when it isn't open. */
  read?(file: OverlayFile): string | undefined | PromiseLike<string | undefined>;
  /** Takes over what is to be written: the editor shows and saves it, and nothing is written here. Otherwise it answers `false`. */
  write?(file: OverlayFile, content: string): boolean | PromiseLike<boolean>;
  /** The file has been written here: an editor that shows it reads it again. */
  written?(file: OverlayFile, content: string): void;
  /** The file has been deleted. */
  deleted?(file: OverlayFile): void;
  /** The file has another name. */
  renamed?(file: OverlayFile, target: OverlayFile): void;
}
