/**
 * Returns the program that `ACP_KIT_BROWSER` names, or an installed Chromium, or `undefined`. Nothing is downloaded.
 */
export function findBrowser(env?: Readonly<Record<string, string | undefined>>): string | undefined;
