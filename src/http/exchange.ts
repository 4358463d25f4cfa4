// One request and its response, as the log and the metrics see it: an id, the route's pattern, the caller's public id,
// times and sizes. It never contains a path, a query, a header or a body.

import type { Clock } from "../kernel/clock.ts";
import { createRequestIds } from "../kernel/ids.ts";
import type { StepTimes } from "../kernel/step-times.ts";

/** The route of a request that was rejected before its path was matched, or whose path is unknown. @testOnly */
export const UNMATCHED = "unmatched";
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The parts of a request that are measured, in their order. `sending` ends with the last byte of the body. */
export type Step = "routing" | "authentication" | "body" | "handler" | "sending";

/** Called once per request, when its response was sent or broken off. */
export type ExchangeObserver = (exchange: Exchange) => void;

export class Exchange {
  /** GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS or OTHER. */
  readonly method: string;
  /** The pattern of the route, such as `/v1/documents/:id`. */
  route: string = UNMATCHED;
  /** The key's public id or the token's `jti`; `-` without a valid credential. */
  caller = "-";
  status = 0;
  /** Bytes of the body, without headers and framing. */
  bytes = 0;
  /** Milliseconds from the arrival of the request to the end of the response. */
  ms = 0;
  /** Whether the client disconnected, or the body failed, before all of it was sent. */
  isBrokenOff = false;
  /** Milliseconds in each step. */
  readonly steps: StepTimes = {};
  /** Milliseconds that worker threads took, by their role; part of the step `handler`. */
  readonly workers: StepTimes = {};
  readonly #clock: Clock;
  readonly #onEnd: ExchangeObserver;
  readonly #startedAt: number;
  #step: Step = "routing";
  #stepStartedAt: number;
  #hasStreamedBody = false;
  #hasEnded = false;

  constructor(
    readonly id: string,
    method: string,
    { clock, onEnd }: { clock: Clock; onEnd: ExchangeObserver },
  ) {
    this.method = METHODS.has(method) ? method : "OTHER";
    this.#clock = clock;
    this.#onEnd = onEnd;
    this.#startedAt = clock.monotonic();
    this.#stepStartedAt = this.#startedAt;
  }

  /** Ends the current step and starts another one. */
  enter(step: Step): void {
    const now = this.#clock.monotonic();
    this.steps[this.#step] = (this.steps[this.#step] ?? 0) + now - this.#stepStartedAt;
    this.#step = step;
    this.#stepStartedAt = now;
  }

  /** The response has a body that reports its own end with `end`. */
  streamsBody(): void {
    this.#hasStreamedBody = true;
  }

  /** The response is passed to the runtime. Without a body that reports its end, this is the end. */
  responded({ status }: Response): void {
    this.status = status;
    if (this.#step !== "sending") this.enter("sending");
    if (!this.#hasStreamedBody) this.end();
  }

  /** The response was sent or broken off. Only the first call counts. */
  end(isBrokenOff = false): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.isBrokenOff = isBrokenOff;
    this.enter(this.#step);
    this.ms = this.#stepStartedAt - this.#startedAt;
    this.#onEnd(this);
  }
}

/** Creates the exchanges of one server; `onEnd` is called with each of them. */
export function createExchanges(clock: Clock, onEnd: ExchangeObserver): (request: Request) => Exchange {
  const newId = createRequestIds();
  const observed = { clock, onEnd };
  return (request) => new Exchange(newId(), request.method, observed);
}

/** The router passes only the request on. */
const byRequest = new WeakMap<Request, Exchange>();

/** Makes `exchangeOf` return this exchange for a request. */
export function bindExchange(request: Request, exchange: Exchange): Request {
  byRequest.set(request, exchange);
  return request;
}

/** The exchange of a request that was bound to one. */
export function exchangeOf(request: Request): Exchange {
  return byRequest.get(request)!;
}
