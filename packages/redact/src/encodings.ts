/** Encoded forms of a secret that are shorter than this are not searched for, because other texts often contain them. */
const MIN_LENGTH = 8;

/**
 * Returns the forms in which a secret can occur in texts: unchanged, escaped in JSON (once or twice, also as ASCII),
 * percent-encoded, and in base64. Base64 encodes groups of three bytes, so a secret inside a longer text has three forms.
 */
export function formsOf(secret: string): Set<string> {
  const json = inJson(secret);
  const url = encode(secret);
  const forms = [
    secret,
    json,
    inJson(json),
    inJson(inJson(json)),
    json.replaceAll("/", "\\/"),
    json.replace(/[\u007f-\uffff]/g, (code) => `\\u${code.charCodeAt(0).toString(16).padStart(4, "0")}`),
    url,
    url.replaceAll("%20", "+"),
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  ];
  for (const form of base64Forms(secret)) {
    forms.push(form, form.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return new Set(forms.filter((form) => form === secret || form.length >= MIN_LENGTH));
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
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
