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
/** Undefined while the desk answers. */
const silence = signal<"offline" | "signedOut" | undefined>(undefined);

const NOTES_SHOWN = 8;
const FORBIDDEN = 403;
const AGAIN_MS = 3000;

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

/** True where the desk knows this browser no more: it was started again, and each start has its own session. */
const isSignedOut = async (): Promise<boolean> =>
  (await fetch(location.href, { method: "HEAD" }).catch(() => undefined))?.status === FORBIDDEN;

function follow(address: string, next: string | undefined): () => void {
  let source = new EventSource(address);
  let timer = 0;
  const listen = (): void => {
    source.addEventListener("message", (event) => {
      silence.value = undefined;
      take(JSON.parse(String(event.data)) as MonitorLine, next);
    });
    source.addEventListener("error", () => void join());
  };
  /** A lost connection is joined again by the browser itself; after a refusal it gives up. */
  const join = async (): Promise<void> => {
    silence.value ??= "offline";
    if (source.readyState !== EventSource.CLOSED) return;
    if (await isSignedOut()) {
      silence.value = "signedOut";
      return;
    }
    timer = setTimeout(() => {
      source = new EventSource(address);
      listen();
    }, AGAIN_MS);
  };
  listen();
  return () => {
    clearTimeout(timer);
    source.close();
  };
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
        {silence.value === undefined ? null : <p class="banner warn">{words[silence.value]}</p>}
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
