const rlo = "\u202e";
const esc = "\u001b";
const script = "<script>window.pwned = 1</script>";

/** Hostile parts of an agent's output: texts that a page could misinterpret, for example as markup. */
export const hostileTexts: readonly string[] = [
  script,
  "</script><script>window.pwned = 1</script>",
  "<img src=x onerror='window.pwned = 1'>",
  "<svg onload='window.pwned = 1'></svg>",
  "<iframe src='javascript:window.parent.pwned = 1'></iframe>",
  "<a href='javascript:window.pwned = 1'>click</a>",
  "[click](javascript:window.pwned=1)",
  "[click](JaVaScRiPt:window.pwned=1)",
  "[click](data:text/html,<script>window.pwned=1</script>)",
  "[click](vbscript:window.pwned)",
  "[click](&#106;avascript:window.pwned=1)",
  "[click](https://user:secret@example.com/)",
  "![image](https://example.com/track.png)",
  "![image](x' onerror='window.pwned=1)",
  "<style>* { display: none }</style>",
  "<link rel=stylesheet href=https://example.com/x.css>",
  "<base href=https://example.com/>",
  "<meta http-equiv=refresh content='0;url=https://example.com/'>",
  "<form action=https://example.com/><input name=a></form>",
  `${rlo}gpj.exe`,
  "\u2066\u2067\u2068hidden\u2069",
  `${esc}]0;title\u0007${esc}[2J${esc}[31m`,
  "\u0000\u0008\u000b null and backspace",
  "{{constructor.constructor('window.pwned=1')()}}",
  `$${"{window.pwned=1}"}`,
  `${"[".repeat(2_000)}nested${"](x)".repeat(2_000)}`,
  `${">".repeat(3_000)} quoted`,
  `${"*a ".repeat(5_000)}`,
  `\`\`\`html"onload=window.pwned=1\n${script}\n\`\`\``,
  `| a |\n| - |\n| ${script} |`,
  "a".repeat(200_000),
  `${"\u0301".repeat(5_000)} combining`,
];

/** The texts in every place of the protocol where an agent's text is shown, as updates of a session. */
export function hostileUpdates(text: string): readonly object[] {
  return [
    { sessionUpdate: "agent_message_chunk", messageId: text.slice(0, 50), content: { type: "text", text } },
    { sessionUpdate: "agent_thought_chunk", content: { type: "text", text } },
    { sessionUpdate: "plan", entries: [{ content: text, status: "pending", priority: "low" }] },
    {
      sessionUpdate: "tool_call",
      toolCallId: text.slice(0, 50),
      title: text,
      kind: "edit",
      status: "in_progress",
      locations: [{ path: text }],
      rawInput: { text },
      content: [
        { type: "diff", path: text, oldText: "", newText: text },
        { type: "content", content: { type: "resource_link", name: text, uri: "javascript:window.pwned=1" } },
        {
          type: "content",
          content: { type: "image", mimeType: "image/svg+xml", data: "PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+" },
        },
      ],
    },
    { sessionUpdate: "available_commands_update", availableCommands: [{ name: text, description: text }] },
    { sessionUpdate: "session_info_update", title: text },
    { sessionUpdate: text },
  ];
}

/** A PNG of 33 bytes whose header claims 60,000 × 60,000 pixels, which would take 14 GB, as base64. */
export function hugePng(): string {
  const bytes = Buffer.alloc(33);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  bytes.writeUInt32BE(13, 8);
  bytes.write("IHDR", 12);
  bytes.writeUInt32BE(60_000, 16);
  bytes.writeUInt32BE(60_000, 20);
  bytes.set([8, 6, 0, 0, 0], 24);
  return bytes.toString("base64");
}

/**
 * Terminal output of about this many bytes: a different style for each character, cursor movements, titles and other
 * control strings.
 */
export function ansiBomb(bytes: number): string {
  const piece = `${esc}[38;5;196m${esc}[1ma${esc}[0m${esc}[4;31mb${esc}[2J${esc}[999;999H${esc}]0;title\u0007${esc}P1$r${esc}\\${esc}[?1049h\r`;
  return piece.repeat(Math.ceil(bytes / piece.length));
}

/**
 * Titles that a user could mistake for other titles, because characters change the direction of the text or are
 * invisible.
 */
export const disguisedTitles: readonly string[] = [
  `Delete ${rlo}txt.sdrowssap`,
  "Read \u2067/etc/passwd\u2069",
  "\u202dOverride\u202c \u2066isolate\u2069",
  "\u200fRight\u061cto\u200eleft",
  "a\nb\rc\u2028d\u2029e",
];
