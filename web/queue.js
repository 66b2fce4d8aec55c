// A cast's place in the queue, in words. Pure.

import { duration } from "./times.js";

export function queueWords({ position, estimate_s }) {
  const wait = estimate_s > 0 ? `, first words in about ${duration(estimate_s * 1000)}` : "";
  return position > 1 ? `Number ${position} in the queue${wait}.` : `Next in the queue${wait}.`;
}
