"use client";

import { useId } from "react";
import { Dialog, DialogContent } from "../../components/ui/dialog.tsx";
import { Kbd } from "../../components/ui/kbd.tsx";
import { Switch } from "../../components/ui/switch.tsx";

const SHORTCUTS: readonly { keys: string[]; does: string }[] = [
  { keys: ["Ctrl", "K"], does: "Search and commands; also /" },
  { keys: ["g", "i"], does: "Go to the inbox" },
  { keys: ["g", "s"], does: "Go to the sessions" },
  { keys: ["g", "u"], does: "Go to the usage" },
  { keys: ["g", "a"], does: "Go to the agents" },
  { keys: ["g", ","], does: "Go to the settings" },
  { keys: ["n"], does: "New session" },
  { keys: ["j"], does: "In a list: next" },
  { keys: ["k"], does: "In a list: previous" },
  { keys: ["x"], does: "In a list: select, to act on several together" },
  { keys: ["e"], does: "In the inbox: set aside" },
  { keys: ["?"], does: "This help" },
  { keys: ["Esc"], does: "Close a dialog or a menu" },
];

type HelpDialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  hasHotkeys: boolean;
  onHotkeys: (isOn: boolean) => void;
};

export function HelpDialog({ isOpen, onOpenChange, hasHotkeys, onHotkeys }: HelpDialogProps) {
  const switchId = useId();
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent
        title="Keyboard shortcuts"
        description="They rest while you type in a field or a dialog is open."
        className="sm:max-w-md"
      >
        <dl className="divide-y">
          {SHORTCUTS.map(({ keys, does }) => (
            <div key={does} className="flex items-center justify-between gap-4 py-2">
              <dt>{does}</dt>
              <dd className="flex gap-1">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
        <div className="mt-3 flex items-center justify-between gap-4 border-t pt-4">
          <label htmlFor={switchId}>
            Shortcuts on
            <span className="block text-muted text-xs">
              Off, only <Kbd>?</Kbd> and the keys of a focused element act.
            </span>
          </label>
          <Switch id={switchId} checked={hasHotkeys} onCheckedChange={onHotkeys} />
        </div>
      </DialogContent>
    </Dialog>
  );
}
