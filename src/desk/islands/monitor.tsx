/** The run monitor: follows a task by server-sent events, and joins again after sleep. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { MonitorLine, MonitorProps } from "../screens/run/monitor-props.ts";
import { mount } from "./mount.ts";

type LineOf<Type extends MonitorLine["type"]> = Extract<MonitorLine, { type: Type }>;
type Told = Omit<LineOf<"stage">, "type">;

interface Stage extends Told {
  /** The first event of a stage: earlier work does not count for its speed. */
  readonly first: Pick<Told, "atMs" | "done">;
}

const stages = signal<readonly Stage[]>([]);
const notes = signal<readonly LineOf<"note">[]>([]);
const waiting = signal<LineOf<"waiting"> | undefined>(undefined);
const isOffline = signal(false);

const NOTES_SHOWN = 8;

function takeStage(told: Told): void {
  const known = stages.value.find(({ name }) => name === told.name);
  const stage: Stage = { ...told, first: known?.first ?? told };
  stages.value =
    known === undefined
      ? [...stages.value, stage]
      : stages.value.map((one) => (one === known ? stage : one));
}

/** Over a shorter time a speed means nothing. */
const MEASURED_MS = 2000;

/** Speed and end of a stage; empty before they are known and after the end. */
function saySpeed({ atMs, done, total, first }: Stage, words: MonitorProps["words"]): string {
  const ms = atMs - first.atMs;
  const fresh = done - first.done;
  if (ms < MEASURED_MS || fresh <= 0 || done >= total) return "";
  const decimals = new Intl.NumberFormat(words.language, { maximumSignificantDigits: 2 });
  const ends = new Date(atMs + ((total - done) / fresh) * ms);
  const time = new Intl.DateTimeFormat(words.language, { timeStyle: "short" }).format(ends);
  const rate = words.rate.replace("{rate}", decimals.format((fresh / ms) * 1000));
  return ` · ${rate} · ${words.ends.replace("{time}", time)}`;
}

function take(line: MonitorLine, next: string | undefined): void {
  if (line.type === "stage") {
    waiting.value = undefined;
    takeStage(line);
  }
  if (line.type === "waiting") waiting.value = line;
  if (line.type === "note") notes.value = [...notes.value, line].slice(-NOTES_SHOWN);
  // The server makes the page of the result.
  if (line.type === "end") location.assign(next ?? line.href);
}

function follow(address: string, next: string | undefined): () => void {
  const source = new EventSource(address);
  source.addEventListener("message", (event) => {
    isOffline.value = false;
    take(JSON.parse(String(event.data)) as MonitorLine, next);
  });
  source.addEventListener("error", () => {
    isOffline.value = true;
  });
  return () => source.close();
}

function Monitor({ events, next, words }: MonitorProps) {
  useEffect(() => follow(events, next), [events, next]);
  const count = (n: number): string => new Intl.NumberFormat(words.language).format(n);
  return (
    <div>
      {stages.value.map((stage) => {
        const { name, done, total, failed } = stage;
        return (
          <div class="field" key={name}>
            <span class="label" id={`stage-${name}`}>
              {words.stages[name] ?? name}
            </span>
            <progress max={Math.max(1, total)} value={done} aria-labelledby={`stage-${name}`} />
            <p class="hint">
              {words.of.replace("{done}", count(done)).replace("{total}", count(total))}
              {failed === 0 ? "" : ` · ${words.failed.replace("{count}", count(failed))}`}
              {saySpeed(stage, words)}
            </p>
          </div>
        );
      })}
      <div aria-live="polite">
        {stages.value.length === 0 && waiting.value === undefined ? <p>{words.begins}</p> : null}
        {waiting.value === undefined ? null : (
          <p class="banner warn">
            {waiting.value.text} <span lang="en">{waiting.value.reason}</span>
          </p>
        )}
        {isOffline.value ? <p class="banner warn">{words.offline}</p> : null}
        {notes.value.map(({ place, text }, at) => (
          <p key={at}>
            {place === "" ? "" : `${place}: `}
            <span lang="en">{text}</span>
          </p>
        ))}
      </div>
    </div>
  );
}

mount("monitor", Monitor);
