import type { DrawnVolume } from "../volume.ts";
import type { Drawer, VolumeTask } from "./volume-task.ts";

/** Volumes that are drawn elsewhere, several at once, and are finished here in their order. */
export class Away {
  readonly #drawer: Drawer | undefined;
  readonly #finish: (volume: number, drawn: DrawnVolume) => Promise<void>;
  readonly #underWay: {
    readonly volume: number;
    readonly read: () => Promise<DrawnVolume>;
  }[] = [];

  constructor(
    drawer: Drawer | undefined,
    finish: (volume: number, drawn: DrawnVolume) => Promise<void>,
  ) {
    this.#drawer = drawer;
    this.#finish = finish;
  }

  /** Waits while too many are under way. Throws the error of an earlier one. */
  async begin(task: VolumeTask, file: string): Promise<void> {
    if (this.#drawer === undefined) return;
    while (this.#underWay.length >= this.#drawer.volumesAtOnce) await this.#finishFirst();
    this.#underWay.push({ volume: task.volume, ...(await this.#drawer.draw(task, file)) });
  }

  async end(): Promise<void> {
    while (this.#underWay.length > 0) await this.#finishFirst();
  }

  async #finishFirst(): Promise<void> {
    const first = this.#underWay.shift();
    if (first !== undefined) await this.#finish(first.volume, await first.read());
  }
}
