/**
 * All files of a folder, sorted, relative to it, with forward slashes. No link is followed, to a file or a folder.
 *
 * @param without names of folders to leave out.
 */
export function filesBelow(directory: string, without?: readonly string[]): string[];
