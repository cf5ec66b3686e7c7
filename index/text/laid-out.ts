/**
 * The code units of a text in an array. A loop over `charCodeAt` asks for the shape of the string at each unit; laid out first,
 * pages are cut a quarter faster by runs of letters, and a twentieth by words (bench/words.bench.ts).
 */

/** Shorter ones are copied by hand: that is less than the call. */
const SHORT = 24;
/** Units kept from text to text; for a longer one there is an array of its own. */
const KEPT = 1 << 18;

export class LaidOut {
  #units = new Uint16Array(1024);
  #bytes = Buffer.from(this.#units.buffer);

  /** At least the units of `text`, good until the next call; what stands behind them is of other texts. */
  of(text: string): Uint16Array {
    const { length } = text;
    let units = this.#units;
    if (length <= SHORT) {
      for (let i = 0; i < length; i++) units[i] = text.charCodeAt(i);
      return units;
    }
    let bytes = this.#bytes;
    if (length > units.length) {
      units = new Uint16Array(length > KEPT ? length : Math.min(KEPT, 2 * length));
      bytes = Buffer.from(units.buffer);
      if (length <= KEPT) {
        this.#units = units;
        this.#bytes = bytes;
      }
    }
    bytes.write(text, 0, 'utf16le');
    return units;
  }
}
