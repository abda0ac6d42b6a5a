"use client";

import { useTheme } from "next-themes";
import { type ReactNode, useId, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Select } from "../../components/ui/select.tsx";
import { Switch } from "../../components/ui/switch.tsx";
import { DENSITIES, NOTICES, TIME_ZONES } from "../../lib/choices.ts";
import { useChoice, useSwitch } from "../../lib/preference.ts";

/** What this browser remembers for itself. */
export function Preferences() {
  const { theme, setTheme } = useTheme();
  const [density, setDensity] = useChoice("density", DENSITIES);
  const [timeZone, setTimeZone] = useChoice("time-zone", TIME_ZONES);
  const [hasHotkeys, setHotkeys] = useSwitch("hotkeys");
  return (
    <div className="divide-y rounded-lg border bg-surface px-4">
      <Row label="Theme" tells="Like the system, unless you choose otherwise.">
        {(props) => (
          <Choice
            {...props}
            value={theme ?? "system"}
            onChange={setTheme}
            choices={{ system: "Like the system", light: "Light", dark: "Dark" }}
          />
        )}
      </Row>
      <Row label="Density" tells="Compact shows more rows at once.">
        {(props) => (
          <Choice
            {...props}
            value={density}
            onChange={setDensity}
            choices={{ comfortable: "Comfortable", compact: "Compact" }}
          />
        )}
      </Row>
      <Row label="Times" tells="Exact times are shown in this zone; a tooltip always has both.">
        {(props) => (
          <Choice
            {...props}
            value={timeZone}
            onChange={setTimeZone}
            choices={{ local: "Of this browser", utc: "UTC" }}
          />
        )}
      </Row>
      <Row label="Keyboard shortcuts" tells="Press ? anywhere to see them.">
        {(props) => <Switch {...props} checked={hasHotkeys} onCheckedChange={setHotkeys} />}
      </Row>
      <NoticeRow />
    </div>
  );
}

function NoticeRow() {
  const [choice, choose] = useChoice("notices", NOTICES);
  const [refusal, setRefusal] = useState<string | null>(null);
  const isPossible = typeof window !== "undefined" && "Notification" in window;
  const turnOn = async () => {
    // Browsers want this asked in answer to a press, never on load.
    const permission = await Notification.requestPermission();
    if (permission === "granted") choose("on");
    setRefusal(
      permission === "granted" ? null : "The browser does not let this page send notifications.",
    );
  };
  const isOn = choice === "on" && isPossible && Notification.permission === "granted";
  return (
    <Row
      label="Desktop notifications"
      tells={refusal ?? "When an agent asks for something while you look elsewhere."}
    >
      {(props) => (
        <Button
          {...props}
          size="sm"
          disabled={!isPossible}
          onClick={() => (isOn ? choose("off") : void turnOn())}
        >
          {isOn ? "Turn off" : "Turn on"}
        </Button>
      )}
    </Row>
  );
}

interface ControlProps {
  id: string;
  "aria-describedby": string;
}

function Row({
  label,
  tells,
  children,
}: {
  label: string;
  tells: string;
  children: (props: ControlProps) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-tells`} className="text-muted text-xs">
          {tells}
        </p>
      </div>
      {children({ id, "aria-describedby": `${id}-tells` })}
    </div>
  );
}

function Choice<T extends string>({
  choices,
  value,
  onChange,
  ...props
}: ControlProps & {
  choices: Readonly<Record<T, string>>;
  value: T | string;
  onChange: (choice: T) => void;
}) {
  const words = Object.entries<string>(choices);
  return (
    <Select
      {...props}
      className="w-40 shrink-0"
      value={value}
      onChange={({ target }) => {
        if (isOneOf(choices, target.value)) onChange(target.value);
      }}
    >
      {words.map(([choice, word]) => (
        <option key={choice} value={choice}>
          {word}
        </option>
      ))}
    </Select>
  );
}

function isOneOf<T extends string>(choices: Readonly<Record<T, string>>, word: string): word is T {
  return Object.hasOwn(choices, word);
}
