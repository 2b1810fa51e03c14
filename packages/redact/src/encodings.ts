/** Encoded forms of a secret that are shorter than this are not searched for, because other texts often contain them. */
const MIN_LENGTH = 8;

/** For a longer secret, only the usual forms are searched for, because all forms count against the limits of a redactor. */
const MAX_RARE = 256;

/** The characters that encoders of URLs leave unchanged, besides letters and digits. */
const unescaped = {
  component: "-_.!~*'()", // `encodeURIComponent`
  uri: "-_.!~*'();/?:@&=+$,#", // `encodeURI`
  rfc3986: "-_.~",
  path: "-_.~/", // `urllib.parse.quote` of Python
  form: "-_.*", // `URLSearchParams`
  query: "-_.!~*();/?:@&=+$,%[]\\^`{|}", // the query of a `URL`
  userinfo: "-_.!~*'()&+$,%", // the password of a `URL`
} as const;

/**
 * Returns the forms in which a secret can occur in texts: unchanged, escaped in JSON (once or twice, also by encoders that escape
 * more characters than they must), percent-encoded, and in base64. Base64 encodes groups of three bytes, so a secret inside a longer text
 * has three forms.
 */
export function formsOf(secret: string): Set<string> {
  const json = inJson(secret);
  const forms = [
    secret,
    json,
    inJson(json),
    inJson(inJson(json)),
    withSlashes(json),
    json.replace(/[\u007f-\uffff]/g, unicodeEscape),
    ...inUrl(secret, unescaped.component),
  ];
  for (const form of base64Forms(secret)) forms.push(form, form.replaceAll("+", "-").replaceAll("/", "_"));
  if (secret.length <= MAX_RARE) forms.push(...rareForms(secret, json));
  return new Set(forms.filter((form) => form === secret || form.length >= MIN_LENGTH));
}

function rareForms(secret: string, json: string): string[] {
  const forms = [
    withSlashes(json.replace(/[\u007f-\uffff]/g, unicodeEscape)), // PHP
    json.replace(/[<>&]/g, unicodeEscape), // Go
    json.replace(/[<>&=']/g, unicodeEscape), // Gson
    secret.replaceAll("\\", "\\\\").replace(/["&'+<>`\u007f-\uffff]/g, upperEscape), // .NET
    ...Object.values(unescaped).flatMap((kept) => inUrl(secret, kept)),
    ...inUrl(percentEncoded(secret, unescaped.component), unescaped.component), // in a URL in a URL
  ];
  for (const form of new Set([...base64Forms(secret), ...base64Forms(json)]))
    forms.push(form, withSlashes(form), ...inUrl(form, unescaped.component));
  return forms;
}

/** Returns the percent-encoded forms of a text. `kept` contains the characters that are not encoded. */
function inUrl(text: string, kept: string): string[] {
  const url = percentEncoded(text, kept);
  const lower = url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [url, lower, url.replaceAll("%20", "+"), lower.replaceAll("%20", "+")];
}

function percentEncoded(text: string, kept: string): string {
  let url = "";
  for (const character of text.replace(/\p{Surrogate}/gu, "\ufffd")) {
    if (/[A-Za-z0-9]/.test(character) || kept.includes(character)) url += character;
    else for (const byte of new TextEncoder().encode(character)) url += `%${hex(byte, 2).toUpperCase()}`;
  }
  return url;
}

function withSlashes(json: string): string {
  return json.replaceAll("/", "\\/");
}

function unicodeEscape(character: string): string {
  return `\\u${hex(character.charCodeAt(0), 4)}`;
}

function upperEscape(character: string): string {
  return `\\u${hex(character.charCodeAt(0), 4).toUpperCase()}`;
}

function hex(code: number, length: number): string {
  return code.toString(16).padStart(length, "0");
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * Returns the base64 forms of a text that begins at the first, second or third byte of a group. Characters that also depend on the bytes
 * before and after the text are left out.
 */
function base64Forms(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return [0, 1, 2].map((offset) => {
    const all = btoa("\0".repeat(offset) + binary);
    return all.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3));
  });
}
