/** A command as it was typed, with its surroundings: what every command reads, and where it reports. */
import { lstatSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

import { badUsage } from "../base/errors.ts";
import { nearWord } from "../base/text/suggest.ts";
import type { CliContext, Input } from "./context.ts";
import { makeHumanView } from "./views/human-view.ts";
import { makeJsonView, writeJson } from "./views/json-view.ts";
import { toFlag, type Given } from "./settings.ts";
import { toPeople } from "./terminal.ts";
import type { View } from "./views/view.ts";

export class Call {
  readonly context: CliContext;
  readonly input: Input;
  /** One JSON object a line in place of sentences. */
  readonly isJson: boolean;
  #view: View | undefined;

  constructor(context: CliContext, input: Input) {
    this.context = context;
    this.input = input;
    this.isJson = this.has("json");
  }

  /** The same with other words. */
  with(changes: Partial<Input>): Call {
    return new Call(this.context, { ...this.input, ...changes });
  }

  /** The first argument. Throws `bad-usage` without one. */
  require(what: string, hint?: string): string {
    const { argument } = this.input;
    if (argument !== undefined) return argument;
    throw badUsage(`${what} must be named, got none`, hint);
  }

  /** A text option, or undefined when it was not given. */
  text(name: string): string | undefined {
    const value = this.input.options[name];
    return typeof value === "string" ? value : undefined;
  }

  /** The same with its flag, for messages. */
  given(name: string): Given | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : { text, from: toFlag(name) };
  }

  has(name: string): boolean {
    return this.input.options[name] === true;
  }

  list(name: string): readonly string[] {
    const value = this.input.options[name];
    return Array.isArray(value) ? (value as readonly string[]) : [];
  }

  /** Absolute. */
  resolve(file: string): string {
    return path.resolve(this.context.cwd, file);
  }

  /** Refuses an option by its old name, since its value is counted differently now. */
  refuseOld(old: string, name: string, takes: string): void {
    const text = this.text(old);
    if (text === undefined) return;
    throw badUsage(
      `--${old} must be written --${name}, got --${old} ${text}`,
      `--${name} takes ${takes}: below a header on line 1, the first row is line 2`,
    );
  }

  /** A text option that names a file, absolute. */
  file(name: string): string | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.resolve(text);
  }

  /** The same for a file that is replaced: a link stays, and what it leads to is written. */
  fileToWrite(name: string): string | undefined {
    const file = this.file(name);
    const found = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
    if (file === undefined || found === undefined) return file;
    if (found.isDirectory()) return file;
    if (found.isFile()) return lstatSync(file).isSymbolicLink() ? realpathSync(file) : file;
    throw badUsage(
      `${toFlag(name)} must be a file, got a device or a pipe: ${file}`,
      "name a file; it can be copied from there",
    );
  }

  /** Where steps of jobs show their progress and results. */
  get view(): View {
    return (this.#view ??= this.isJson ? makeJsonView(this.context) : makeHumanView(this.context));
  }

  /** A line of data for programs. */
  json(type: string, data: object): void {
    writeJson(this.context, type, data);
  }

  /** Lines for people. */
  say(...lines: readonly string[]): void {
    toPeople(this.context).out(lines.map((line) => `${line}\n`).join(""));
  }

  /** The same for programs and for people. */
  tell(type: string, data: object, ...lines: readonly string[]): void {
    if (this.isJson) this.json(type, data);
    else this.say(...lines);
  }

  /** The same, with the line for people on standard error. */
  note(type: string, data: object, line: string): void {
    if (this.isJson) this.json(type, data);
    else toPeople(this.context).err(`${line}\n`);
  }

  /** Whether a person says yes, now or by `--yes`. Where no one can be asked, prints `otherwise`. */
  async agrees(question: string, otherwise: string): Promise<boolean> {
    if (this.has("yes")) return true;
    if (this.context.ask !== undefined) return this.context.ask(question);
    this.context.err(`${otherwise}\n`);
    return false;
  }
}

/** The words behind the name of a command with several actions. */
export type Actions<Action> = Readonly<Record<string, Action>>;

/**
 * The action that the first argument names; without one, `list`.
 *
 * @param finds what `list` finds by words, which people type without it
 */
export function findAction<Action>(
  { input }: Call,
  actions: Actions<Action>,
  finds?: string,
): Action {
  const name = input.argument ?? "list";
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action !== undefined) return action;
  const names = Object.keys(actions);
  const meant = nearWord(name, names);
  const isWord = finds !== undefined && meant === undefined;
  throw badUsage(
    `action must be one of ${names.join(", ")}, got ${JSON.stringify(name)}`,
    /\.ya?ml$/iu.test(name)
      ? `put the action before the file: list ${name}`
      : isWord
        ? `to find ${finds}, put list in front: list ${name}`
        : meant,
  );
}

/** The one of these words that was given. Throws `bad-usage` for any other. */
export function pickWord<Word extends string>(
  what: string,
  words: readonly Word[],
  given: string,
): Word {
  const found = words.find((word) => word === given);
  if (found !== undefined) return found;
  const rule = `${what} must be one of ${words.join(", ")}`;
  throw badUsage(`${rule}, got ${given}`, nearWord(given, words));
}

/** Refuses an option that the action would leave unread. `takenBy`: option -> the actions that read it. */
export function refuseUnused(call: Call, takenBy: Readonly<Record<string, readonly string[]>>) {
  const action = call.input.argument ?? "list";
  for (const [name, takers] of Object.entries(takenBy)) {
    if (takers.includes(action) || (call.text(name) === undefined && !call.has(name))) continue;
    throw badUsage(
      `${toFlag(name)} must be given with ${takers.join(" or ")} only, got it with ${action}`,
      `leave it out; ${action} has no use for it`,
    );
  }
}

export async function untilAborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
