import type { SessionConfig } from "@signalbox/protocol";
import { MessageSquareDashed } from "lucide-react";
import { Button } from "../../../components/ui/button.tsx";
import { EmptyState } from "../../../components/ui/empty-state.tsx";
import { asText } from "../content/json-read.ts";

const MAX_SUGGESTIONS = 3;

/** A session that has said nothing yet: what to do first. */
export function EmptyTranscript({
  agent,
  config,
  onCommand,
}: {
  agent: string | null;
  config: SessionConfig | null;
  onCommand: (name: string) => void;
}) {
  const names = (config?.availableCommands ?? []).flatMap((command) => asText(command.name) ?? []);
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto">
      <EmptyState
        icon={<MessageSquareDashed aria-hidden />}
        title="Nothing said yet"
        actions={names.slice(0, MAX_SUGGESTIONS).map((name) => (
          <Button key={name} size="sm" className="font-mono" onClick={() => onCommand(name)}>
            /{name}
          </Button>
        ))}
      >
        {agent === null
          ? "Write the first message below."
          : `Write the first message to ${agent} below.`}
        {names.length > 0 ? " Or begin with one of its commands." : ""}
      </EmptyState>
    </div>
  );
}
