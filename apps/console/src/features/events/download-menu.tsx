"use client";

import { Download } from "lucide-react";
import { Button } from "../../components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../../components/ui/dropdown-menu.tsx";
import { useDownload } from "../../lib/use-download.ts";

/** The whole session as a file. */
export function DownloadMenu({ sessionId }: { sessionId: string }) {
  const download = useDownload(sessionId);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button size="sm">
          <Download aria-hidden />
          Download
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={() => download("jsonl")}>
          All events as JSON Lines
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => download("markdown")}>
          Transcript as Markdown
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
