/** How a value may stand in a file or an answer, other than as it is. */

const BASE64_GROUP_BYTES = 3;

/** The value as it is, in JSON, in an address, in base64 wherever it begins there, and its words. */
export function spellingsOf(value: string): Buffer[] {
  const words = value.match(/[A-Za-z0-9]{12,}/g) ?? [];
  const texts = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    new URLSearchParams({ value }).toString().slice("value=".length),
    ...words,
    ...words.map((word) => word.toLowerCase()),
    ...words.flatMap(base64InsideText),
    Buffer.from(value).toString("hex"),
  ];
  return [...new Set(texts)].map((text) => Buffer.from(text));
}

/** What of its base64 does not depend on the bytes around it, for each place it may begin at. */
function base64InsideText(word: string): string[] {
  return Array.from({ length: BASE64_GROUP_BYTES }, (_, before) => {
    const encoded = Buffer.from(" ".repeat(before) + word).toString("base64url");
    const changedBefore = before === 0 ? 0 : before + 1;
    return encoded.slice(changedBefore, -BASE64_GROUP_BYTES);
  });
}

/** The spellings of the value that stand in the bytes. */
export function foundIn(bytes: string | Buffer, value: string): string[] {
  const haystack = Buffer.from(bytes);
  return spellingsOf(value)
    .filter((spelling) => haystack.includes(spelling))
    .map(String);
}
