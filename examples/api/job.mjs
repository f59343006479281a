let asked = 0;

/** The state of the job: done at the third time of asking. */
export function status() {
  asked += 1;
  return { state: asked % 3 === 0 ? 'done' : 'running', asked: ((asked - 1) % 3) + 1 };
}
