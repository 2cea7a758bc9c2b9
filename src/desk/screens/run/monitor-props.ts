/** Data between the run's page and its island. */
export interface MonitorProps {
  readonly events: string;
  /** The page that the end leads to; as a rule that of the task's result. */
  readonly next?: string | undefined;
  readonly words: {
    readonly language: string;
    readonly of: string;
    readonly failed: string;
    readonly begins: string;
    readonly rate: string;
    readonly ends: string;
    readonly offline: string;
    /** The desk was started again, and knows this browser no more. */
    readonly signedOut: string;
    readonly stages: Readonly<Record<string, string>>;
  };
}

export type MonitorLine =
  | {
      readonly type: "stage";
      /** When it was so. */
      readonly atMs: number;
      readonly name: string;
      readonly done: number;
      readonly total: number;
      readonly failed: number;
    }
  | {
      readonly type: "waiting";
      readonly text: string;
      /** In English. */
      readonly reason?: string;
    }
  | {
      readonly type: "note";
      /** Empty where none is known. */
      readonly place: string;
      /** In English. */
      readonly text: string;
    }
  /** The task is over: its result stands there. */
  | { readonly type: "end"; readonly href: string };
