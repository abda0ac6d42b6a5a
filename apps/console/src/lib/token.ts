/**
 * The secret of this browser's login, in localStorage and therefore bound to this origin.
 * Every tab sees a login or logout of any other at once.
 */

const KEY = "signalbox.token";
const NOTICE_KEY = "signalbox.signed-out";
const changed = new EventTarget();

export function readToken(): string | null {
  return window.localStorage.getItem(KEY);
}

export function storeToken(secret: string): void {
  window.localStorage.setItem(KEY, secret);
  window.sessionStorage.removeItem(NOTICE_KEY);
  changed.dispatchEvent(new Event("change"));
}

/**
 * Forgets the login.
 *
 * @param notice what the login page tells; null when the person asked for it
 */
export function dropToken(notice: string | null): void {
  if (notice !== null) window.sessionStorage.setItem(NOTICE_KEY, notice);
  window.localStorage.removeItem(KEY);
  changed.dispatchEvent(new Event("change"));
}

/** Why the last login ended, if not by the person's wish. */
export function readSignedOutNotice(): string | null {
  return window.sessionStorage.getItem(NOTICE_KEY);
}

/** @returns a function that stops the calls */
export function watchToken(onChange: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) onChange();
  };
  window.addEventListener("storage", onStorage);
  changed.addEventListener("change", onChange);
  return () => {
    window.removeEventListener("storage", onStorage);
    changed.removeEventListener("change", onChange);
  };
}
