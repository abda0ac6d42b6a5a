/** As much is kept of what is heard. */
export const MAX_STDERR_CHARS = 64 * 1024;

/**
 * The stored end of an adapter's stderr and what was heard live, as one text. They were read at
 * different moments, so the end of one may be the beginning of the other.
 */
export function joinedStderr(stored: string, heard: string): string {
  // Its beginning is gone, and with it where it joined.
  if (heard.length >= MAX_STDERR_CHARS) return heard;
  for (let length = Math.min(stored.length, heard.length); length > 0; length -= 1) {
    if (stored.endsWith(heard.slice(0, length))) return stored + heard.slice(length);
  }
  return stored + heard;
}
