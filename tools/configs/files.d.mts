/**
 * Returns all files of a folder, sorted, relative to it, with forward slashes. It follows no links, neither to files
 * nor to folders.
 *
 * @param without names of folders to skip.
 */
export function filesBelow(directory: string, without?: readonly string[]): string[];
