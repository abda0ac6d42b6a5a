// Takes the lock of a folder and keeps it until this process ends.

import { lockDataDir } from "../instance-lock.ts";

lockDataDir(String(process.argv[2]));
process.stdout.write("locked\n");
// Ends with the parent, should that end first.
process.stdin.resume();
