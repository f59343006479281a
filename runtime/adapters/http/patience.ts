/** The deadline of each request bounds waiting; undici's own limits would cut off what the user allowed. */
export const patience = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: 0 };
