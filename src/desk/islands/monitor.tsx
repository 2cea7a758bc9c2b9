/** The run monitor: follows a task by server-sent events, and joins again after sleep. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { MonitorLine, MonitorProps } from "../screens/run/monitor-props.ts";
import { mount } from "./mount.ts";

interface Stage {
  readonly name: string;
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

const stages = signal<readonly Stage[]>([]);
const notes = signal<readonly string[]>([]);
const waiting = signal<string | undefined>(undefined);
const isOffline = signal(false);

const NOTES_SHOWN = 8;

function takeStage(stage: Stage): void {
  const isKnown = stages.value.some(({ name }) => name === stage.name);
  stages.value = isKnown
    ? stages.value.map((one) => (one.name === stage.name ? stage : one))
    : [...stages.value, stage];
}

function take(line: MonitorLine): void {
  if (line.type === "stage") {
    waiting.value = undefined;
    takeStage(line);
  }
  if (line.type === "waiting") waiting.value = line.text;
  if (line.type === "note") notes.value = [...notes.value, line.text].slice(-NOTES_SHOWN);
  // The page of the result is made by the server.
  if (line.type === "end") location.assign(line.href);
}

function follow(address: string): () => void {
  const source = new EventSource(address);
  source.addEventListener("message", (event) => {
    isOffline.value = false;
    take(JSON.parse(String(event.data)) as MonitorLine);
  });
  source.addEventListener("error", () => {
    isOffline.value = true;
  });
  return () => source.close();
}

function Monitor({ events, words }: MonitorProps) {
  useEffect(() => follow(events), [events]);
  const count = (n: number): string => new Intl.NumberFormat(words.language).format(n);
  return (
    <div>
      {stages.value.map(({ name, done, total, failed }) => (
        <div class="field" key={name}>
          <span class="label" id={`stage-${name}`}>
            {words.stages[name] ?? name}
          </span>
          <progress max={Math.max(1, total)} value={done} aria-labelledby={`stage-${name}`} />
          <p class="hint">
            {words.of.replace("{done}", count(done)).replace("{total}", count(total))}
            {failed === 0 ? "" : ` · ${words.failed.replace("{count}", count(failed))}`}
          </p>
        </div>
      ))}
      <div aria-live="polite">
        {waiting.value === undefined ? null : <p class="banner warn">{waiting.value}</p>}
        {isOffline.value ? <p class="banner warn">{words.offline}</p> : null}
        {notes.value.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </div>
  );
}

mount("monitor", Monitor);
