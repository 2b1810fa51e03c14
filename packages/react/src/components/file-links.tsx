import { createContext, type ReactElement, type ReactNode, useContext } from "react";

/** A file that an agent's text, tool call or resource names. */
export interface FileLink {
  /** The path in the agent's words: absolute, or relative to the session's folder. The agent may name any file. */
  readonly path: string;
  /** The line in the file, from 1, if the link names one. */
  readonly line?: number;
}

/** Props of {@link FileLinks}. */
export interface FileLinksProps {
  /** Called when the user opens a link to a file, for example to show the file in an editor. */
  readonly onOpen: (link: FileLink) => void;
  readonly children?: ReactNode;
}

const OnOpen = createContext<FileLinksProps["onOpen"] | undefined>(undefined);

/**
 * Makes the links to files below it buttons that call `onOpen`: in messages, resources, diffs and the files of tool
 * calls. Without it, links to files are text. The components never open a file or leave the page themselves.
 */
export function FileLinks({ onOpen, children }: FileLinksProps): ReactElement {
  return <OnOpen.Provider value={onOpen}>{children}</OnOpen.Provider>;
}

/** @internal Shows a file as a button if the application opens files, otherwise as its children. */
export function OpenableFile(props: { readonly link: FileLink | undefined; readonly children: ReactNode }): ReactNode {
  const { link, children } = props;
  const onOpen = useContext(OnOpen);
  if (onOpen === undefined || link === undefined) return children;
  return (
    <button type="button" className="acp-file-link" onClick={() => onOpen(link)}>
      {children}
    </button>
  );
}

/**
 * @internal Returns the file that an address names: a `file:` URL, or a path, with `:12` or `#L12` for a line. Returns
 * `undefined` for addresses with another scheme and for texts that are no paths.
 */
export function fileLinkOf(address: unknown): FileLink | undefined {
  if (typeof address !== "string" || address === "" || address.length > 2_000) return undefined;
  const [, place = "", hash, colon] =
    /^(.*?)(?:#L(\d{1,9})(?:-L?\d{1,9})?|:(\d{1,9})(?::\d{1,9})?)?$/s.exec(address) ?? [];
  const path = pathOf(place);
  if (path === undefined || path === "" || /\p{Cc}/u.test(path)) return undefined;
  const line = Number(hash ?? colon ?? 0);
  return { path, ...(line > 0 && { line }) };
}

function pathOf(place: string): string | undefined {
  try {
    if (/^file:/i.test(place)) {
      const { hostname, pathname } = new URL(place);
      const path = decodeURIComponent(pathname);
      if (hostname !== "") return `//${hostname}${path}`; // a shared folder of Windows
      return /^\/[a-z]:\//i.test(path) ? path.slice(1) : path;
    }
    const hasScheme = /^[a-z][a-z\d+.-]+:/i.test(place); // a drive of Windows has one letter
    return hasScheme || place.startsWith("#") || place.startsWith("//") ? undefined : decodeURIComponent(place);
  } catch {
    return undefined; // an invalid URL or escape
  }
}
