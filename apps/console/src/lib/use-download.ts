import { failureOf } from "./failure.ts";
import { toast } from "./toast.ts";
import { useTRPCClient } from "./trpc.tsx";

/** Gives a function that saves a session as a file. The address it uses is good for one download. */
export function useDownload(sessionId: string): (format: "jsonl" | "markdown") => void {
  const client = useTRPCClient();
  const download = async (format: "jsonl" | "markdown") => {
    try {
      const { url } = await client.sessions.export.mutate({ sessionId, format });
      // The answer is an attachment, so the page stays.
      window.location.assign(url);
    } catch (error) {
      toast.error("Not downloaded", { description: failureOf(error).message });
    }
  };
  return (format) => void download(format);
}
