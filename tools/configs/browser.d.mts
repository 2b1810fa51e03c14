/** Returns the program of `ACP_KIT_BROWSER`, or an installed Chromium, or `undefined`. Nothing is downloaded. */
export function findBrowser(env?: Readonly<Record<string, string | undefined>>): string | undefined;
