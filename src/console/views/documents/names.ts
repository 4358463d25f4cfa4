// What values of documents are called for people.

export const SOURCES: Record<string, string> = { manual: "Written", scrape: "Web page", import: "Import" };

/** Who wrote a version: an agent by its key or program, or a person. */
export const nameOfAgent = (agent: string) => (agent === "" ? "Person" : agent.replace(/^key /, ""));

/** A short form of a path or address: the last folder and the name, or the host and the end of the path. */
export function placeOf(place: string): string {
  if (/^https?:/.test(place) && URL.canParse(place)) {
    const { host, pathname } = new URL(place);
    const parts = pathname.split("/").filter((part) => part !== "");
    return [host, ...(parts.length > 1 ? ["…"] : []), ...parts.slice(-1)].join("/");
  }
  return place.split(/[/\\]/).slice(-2).join("/");
}
