/**
 * Kept free of imports and new syntax, so that it still runs on the Node it complains about.
 */
const MINIMUM = { major: 20, minor: 19 };

/**
 * @param {string} version as in `process.versions.node`
 * @returns {string | null} what to tell the person, or null when the version will do
 */
export function nodeVersionComplaint(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > MINIMUM.major || (major === MINIMUM.major && minor >= MINIMUM.minor);
  if (isNewEnough) return null;
  return `Signalbox needs Node ${MINIMUM.major}.${MINIMUM.minor} or newer, and this is Node ${version}: install a newer one from https://nodejs.org and run the command again.`;
}

export function requireNode() {
  const complaint = nodeVersionComplaint(process.versions.node);
  if (complaint === null) return;
  process.stderr.write(`${complaint}\n`);
  process.exit(1);
}
