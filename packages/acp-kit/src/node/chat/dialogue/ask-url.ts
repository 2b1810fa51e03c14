import { spawn } from "node:child_process";
import type { ElicitationOf } from "@acp-kit/client";
import type { CreateElicitationResponse } from "@acp-kit/types";
import { cleanLine } from "../text/clean.js";
import type { Interview } from "./ask-form.js";

/** Shows the whole address, and opens it only if the user agrees. This program sends no request to it. */
export async function askUrl(
  { message, url }: ElicitationOf<"url">,
  { asker, paint, signal }: Interview,
  open: (url: string) => void = openInBrowser,
): Promise<CreateElicitationResponse> {
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  const shown = isWeb ? new URL(url).href : cleanLine(url);
  const choice = await asker.ask({
    lines: [`${paint.yellow("?")} ${paint.bold(cleanLine(message))}`, `  ${paint.underline(shown)}`],
    choices: [
      ...(isWeb ? [{ key: "o", label: "Open it", value: "open" }] : []),
      { key: "y", label: "I will open the address myself", value: "accept" },
      { key: "n", label: "No", value: "decline" },
    ],
    signal,
  });
  if (choice === "open") open(shown);
  if (choice === undefined) return { action: "cancel" };
  return { action: choice === "decline" ? "decline" : "accept" };
}

/** Opens an address with the system's default program. Without one, does nothing: the user has seen the address. */
export function openInBrowser(url: string): void {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? // Without a shell, because a shell would interpret characters of the address.
          ["rundll32", "url.dll,FileProtocolHandler", url]
        : ["xdg-open", url];
  const child = spawn(command as string, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
