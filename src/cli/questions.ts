/** Questions on the terminal, on standard error. The only file that knows the prompt library. */
import { isCancel, select, text } from "@clack/prompts";

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** A person who can be asked. Answers undefined when the person gives up (Ctrl-C, Escape). */
export interface Questions {
  /** One of the choices; the first is offered. */
  choose(question: string, choices: readonly Choice[]): Promise<string | undefined>;
  /** A text; Enter takes `offer`. `check` says what is wrong with it. */
  type(
    question: string,
    offer: string,
    check: (answer: string) => string | undefined,
  ): Promise<string | undefined>;
}

const output = process.stderr;
const unless = (answer: string | symbol): string | undefined =>
  isCancel(answer) || typeof answer === "symbol" ? undefined : answer;

export const terminalQuestions: Questions = {
  choose: async (message, choices) =>
    unless(await select({ message, options: choices.map((choice) => ({ ...choice })), output })),
  type: async (message, offer, check) =>
    unless(
      await text({
        message,
        placeholder: offer,
        defaultValue: offer,
        validate: (answer) => check(answer === undefined || answer === "" ? offer : answer),
        output,
      }),
    ),
};
