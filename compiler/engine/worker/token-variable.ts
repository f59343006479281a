/** The variable that holds the token of a worker that connects to its run. */
export const TOKEN_VARIABLE = 'SVC_WORKER_TOKEN';
