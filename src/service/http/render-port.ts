/** The interface for rendering labels beside the API: the service itself draws no sheets. */
export interface RenderVisit {
  readonly request: Request;
  /** The sender, for sharing out turns. */
  readonly sender: string;
  /** The body; throws when it is longer. */
  readonly read: (maxBytes: number) => Promise<Uint8Array>;
}

/** Answers a request of a sender who may ask. */
export type Render = (visit: RenderVisit) => Promise<Response>;
