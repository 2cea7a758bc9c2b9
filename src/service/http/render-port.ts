/** What renders labels beside the API, as the service is handed it: the service itself draws no sheets. */
export interface RenderVisit {
  readonly request: Request;
  /** Who asks, as turns are shared out. */
  readonly sender: string;
  /** The body; throws where it has more bytes. */
  readonly read: (maxBytes: number) => Promise<Uint8Array>;
}

/** Answers a request of somebody who may ask. */
export type Render = (visit: RenderVisit) => Promise<Response>;
