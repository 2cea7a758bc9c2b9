/** Questions on the terminal, on standard error. The only file that knows the prompt library. */

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
/** Loaded with the first question: few commands ask any. */
const load = () => import("@clack/prompts");

const unless = (answer: string | symbol): string | undefined =>
  typeof answer === "symbol" ? undefined : answer;

export const terminalQuestions: Questions = {
  choose: async (message, choices) => {
    const options = choices.map((choice) => ({ ...choice }));
    return unless(await (await load()).select({ message, options, output }));
  },
  type: async (message, offer, check) =>
    unless(
      await (
        await load()
      ).text({
        message,
        placeholder: offer,
        defaultValue: offer,
        validate: (answer) => check(answer === undefined || answer === "" ? offer : answer),
        output,
      }),
    ),
};
