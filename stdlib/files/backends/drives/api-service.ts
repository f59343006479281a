import * as fail from '#schemas/generated/failures.ts';
import type { Clock } from '#schemas/types/host.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';

import {
  HttpService,
  type ServiceAnswer,
  type ServiceOptions,
  type ServiceRequest,
  type ServiceStream,
} from '../http-service.ts';
import { patiently } from '../passing.ts';
import type { Access } from './access.ts';

export interface ApiRequest extends Omit<ServiceRequest, 'url'> {
  readonly url: string;
  /** Sent in place of a body. */
  readonly json?: unknown;
  /** The address itself says who asks: no token goes with it. */
  readonly anonymous?: boolean;
  /** Is not tried again. */
  readonly once?: boolean;
}

/** Meaning of a service's own answers, beside that of statuses everywhere. */
export type ApiMeaning = Pick<ServiceOptions, 'explain' | 'judge'>;

export interface ApiTools {
  readonly http: ServiceOptions['http'];
  readonly clock: Clock;
}

const TIMEOUT_MS = 60_000;

/** JSON over HTTP with a token: one that is refused is renewed once, and what passes is tried again. */
export class ApiService {
  readonly place: string;
  readonly #service: HttpService;
  readonly #clock: Clock;
  readonly #access: Access;

  constructor({ http, clock }: ApiTools, place: string, access: Access, meaning: ApiMeaning) {
    this.place = place;
    this.#clock = clock;
    this.#access = access;
    this.#service = new HttpService({ http, place, timeoutMs: TIMEOUT_MS, ...meaning });
  }

  async send(request: ApiRequest): Promise<ServiceAnswer> {
    const work = (): Promise<ServiceAnswer> =>
      this.#allowed(
        request,
        (ready) => this.#service.send(ready),
        (answer) => this.#service.refusal(request, answer, new TextDecoder().decode(answer.body)),
      );
    return request.once ? await work() : await patiently(this.#clock, request.signal, work);
  }

  /** The object that it answers with; an empty one where there is no body. */
  async ask(request: ApiRequest): Promise<JsonObject> {
    return this.objectIn(await this.send(request));
  }

  objectIn({ body }: Pick<ServiceAnswer, 'body'>): JsonObject {
    const value = jsonIn(new TextDecoder().decode(body));
    if (!value) throw fail.storageAnswer({ place: this.place, reason: 'it is no JSON object' });
    return value;
  }

  async receive(request: ApiRequest): Promise<ServiceStream> {
    return await this.#allowed(
      request,
      (ready) => this.#service.receive(ready),
      (stream) => {
        stream.close();
        return this.#service.refusal(request, stream, '');
      },
    );
  }

  async #allowed<Answer extends { readonly status: number }>(
    request: ApiRequest,
    send: (ready: ServiceRequest) => Promise<Answer>,
    refusal: (answer: Answer) => Error,
  ): Promise<Answer> {
    if (request.anonymous) return await send(ready(request));
    const token = await this.#access.token();
    const asked = { ...request, fine: [...(request.fine ?? []), 401] };
    const answer = await send(ready(asked, token));
    if (answer.status !== 401) return answer;
    const refused = refusal(answer);
    request.signal.throwIfAborted();
    const other = await this.#access.renewed(token);
    if (other === undefined) throw refused;
    return await send(ready(request, other));
  }
}

function ready({ url, json, body, headers, ...rest }: ApiRequest, token?: string): ServiceRequest {
  const sent = json === undefined ? body : JSON.stringify(json);
  return {
    ...rest,
    url: new URL(url),
    ...(sent !== undefined && { body: sent }),
    headers: {
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  };
}

/** The object of a JSON text; an empty one of an empty text, undefined of any other. */
export function jsonIn(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function textIn(value: JsonObject, key: string): string {
  const found = value[key];
  return typeof found === 'string' ? found : '';
}

export function objectIn(value: JsonObject, key: string): JsonObject {
  const found = value[key];
  return isObject(found) ? found : {};
}

export function listIn(value: JsonObject, key: string): readonly JsonObject[] {
  const found = value[key];
  return Array.isArray(found) ? found.filter((item): item is JsonObject => isObject(item)) : [];
}
