"use client";

import type { JsonObject } from "@signalbox/protocol";
import { ArrowUp, CircleStop, Clock } from "lucide-react";
import {
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { Button } from "../../../components/ui/button.tsx";
import { asText } from "../content/json-read.ts";
import { CommandList, matchingCommands } from "./command-list.tsx";
import type { Prompting } from "./use-prompt.ts";

const MAX_HEIGHT_PX = 240;

/** Where a message is written. It stays usable whatever else happens in the session. */
export function Composer({
  prompting,
  commands,
  isBusy,
  isCancelling,
  onCancel,
  placeholder,
  input,
}: {
  prompting: Prompting;
  commands: readonly JsonObject[];
  isBusy: boolean;
  isCancelling: boolean;
  onCancel: () => void;
  placeholder: string;
  input: RefObject<HTMLTextAreaElement | null>;
}) {
  const { text, setText, send } = prompting;
  const [chosen, setChosen] = useState(0);
  const [isDismissed, setDismissed] = useState(false);
  const listId = useId();
  const matches = useMemo(() => matchingCommands(commands, text), [commands, text]);
  const isListOpen = matches.length > 0 && !isDismissed;
  const active = Math.min(chosen, matches.length - 1);

  useLayoutEffect(() => {
    const element = input.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, MAX_HEIGHT_PX)}px`;
  });

  const write = (value: string) => {
    setText(value);
    setChosen(0);
    setDismissed(false);
  };

  const complete = (command: JsonObject | undefined) => {
    const name = asText(command?.name);
    if (name !== null) write(`/${name} `);
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (isListOpen && steerList(event)) return;
    if (event.key === "Escape") input.current?.blur();
    const isPlainEnter = event.key === "Enter" && !event.shiftKey && !event.altKey;
    if (!isPlainEnter || isTouch()) return;
    event.preventDefault();
    send();
  };

  /** Returns whether the key was for the list of commands. */
  const steerList = (event: KeyboardEvent): boolean => {
    const isExact = text === `/${asText(matches[active]?.name)}`;
    const isCompletion =
      event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !isExact);
    if (event.key === "ArrowDown") setChosen((active + 1) % matches.length);
    else if (event.key === "ArrowUp") setChosen((active + matches.length - 1) % matches.length);
    else if (event.key === "Escape") setDismissed(true);
    else if (isCompletion) complete(matches[active]);
    else return false;
    event.preventDefault();
    return true;
  };

  return (
    <div className="relative">
      {isListOpen ? (
        <CommandList id={listId} commands={matches} active={active} onChoose={complete} />
      ) : null}
      <div className="rounded-xl border border-border-strong bg-surface transition-colors focus-within:border-ring">
        <textarea
          ref={input}
          rows={1}
          value={text}
          placeholder={placeholder}
          aria-label="Message to the agent"
          aria-autocomplete="list"
          aria-controls={isListOpen ? listId : undefined}
          aria-activedescendant={isListOpen ? `${listId}-${active}` : undefined}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          className="block w-full resize-none bg-transparent px-3.5 pt-2.5 pb-1 text-base outline-none max-sm:text-[1rem]"
        />
        <div className="flex items-center gap-2 px-2 pb-2">
          <p className="min-w-0 truncate pl-1.5 text-muted text-xs max-sm:hidden">
            {isBusy
              ? "A message sent now waits its turn"
              : commands.length > 0
                ? "Type / for commands"
                : "Shift+Enter for a new line"}
          </p>
          <div className="ml-auto flex items-center gap-2">
            {isBusy ? (
              <Button size="sm" onClick={onCancel} aria-disabled={isCancelling}>
                <CircleStop aria-hidden className="size-3.5!" />
                {isCancelling ? "Cancelling" : "Cancel"}
              </Button>
            ) : null}
            <Button
              variant="primary"
              size="sm"
              disabled={text.trim() === ""}
              onClick={() => {
                send();
                input.current?.focus();
              }}
            >
              {isBusy ? (
                <Clock aria-hidden className="size-3.5!" />
              ) : (
                <ArrowUp aria-hidden className="size-3.5!" />
              )}
              {isBusy ? "Queue" : "Send"}
            </Button>
          </div>
        </div>
      </div>
    </div>
  );
}

/** On a touch keyboard Enter is the only way to a new line. */
function isTouch(): boolean {
  return window.matchMedia("(pointer: coarse)").matches;
}
