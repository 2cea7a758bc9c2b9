/** Questions of `init`: asked of a person, or answered by flags and offers. */
import { readFlag, readText, type CliContext, type Input } from "./context.ts";
import type { Choice, Questions } from "./questions.ts";

/** The person has left in the middle of the questions. */
export class GivenUp extends Error {}

/** Asks where somebody can answer and no flag has; else takes what is offered. */
export class Interview {
  readonly #input: Input;
  readonly #questions: Questions | undefined;

  constructor(context: CliContext, input: Input) {
    this.#input = input;
    this.#questions = readFlag(input, "yes") ? undefined : context.questions;
  }

  async choose(
    flag: string,
    question: string,
    choices: readonly Choice[],
    otherwise = choices[0]?.value ?? "",
  ): Promise<string> {
    const given = readText(this.#input, flag);
    if (given !== undefined) return given;
    if (this.#questions === undefined || choices.length < 2) return otherwise;
    const answer = await this.#questions.choose(question, choices);
    if (answer === undefined) throw new GivenUp();
    return answer;
  }

  async type(
    question: string,
    offer: string,
    check: (answer: string) => string | undefined,
  ): Promise<string> {
    if (this.#questions === undefined) return offer;
    const answer = await this.#questions.type(question, offer, check);
    if (answer === undefined) throw new GivenUp();
    return answer;
  }
}
