/** What the exit code of the server and of the `signalbox` command tells whoever started it. */
export const EXIT_CODE = {
  clean: 0,
  usage: 1,
  badConfiguration: 2,
  databaseInUse: 3,
  schemaNewer: 4,
  portInUse: 5,
  storageCorrupt: 6,
  internal: 70,
} as const;
