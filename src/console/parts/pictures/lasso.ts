// Which points are inside a line that was drawn around them.

export type Place = readonly [x: number, y: number];

/**
 * Whether a place is inside a closed polygon: whether a ray from it crosses the edges an odd number of times (Shimrat,
 * "Algorithm 112: position of point relative to polygon", 1962).
 */
export function isInside(polygon: readonly Place[], [x, y]: Place): boolean {
  let inside = false;
  let [previousX, previousY] = polygon.at(-1) ?? [0, 0];
  for (const [nextX, nextY] of polygon) {
    const crosses = nextY > y !== previousY > y;
    if (crosses && x < previousX + ((y - previousY) / (nextY - previousY)) * (nextX - previousX))
      inside = !inside;
    [previousX, previousY] = [nextX, nextY];
  }
  return inside;
}

/** The position of the nearest place that is at most `most` away; undefined if there is none. */
export function nearest(places: readonly Place[], [x, y]: Place, most: number): number | undefined {
  let found: number | undefined;
  let least = most;
  for (const [index, place] of places.entries()) {
    const distance = Math.hypot(place[0] - x, place[1] - y);
    if (distance > least) continue;
    found = index;
    least = distance;
  }
  return found;
}
