/**
 * Of any y c[k] = the sum over t of x[t] y[t - k], y going round: what a column and another have in common
 * at every shift of the other. By Fourier transforms, so that all n of them cost n log n; that of x serves
 * all y.
 */
export function circularProductsWith(x: Float64Array): (y: Float64Array) => Float64Array {
  const n = x.length;
  let size = 1;
  while (size < 2 * n) size *= 2;
  const waves = wavesOf(size);
  const a = transformed(x, waves);
  return y => {
    const b = transformed(y, waves);
    const [re, im] = [new Float64Array(size), new Float64Array(size)];
    for (let i = 0; i < size; i++) {
      re[i] = a.re[i]! * b.re[i]! + a.im[i]! * b.im[i]!;
      // conjugate, so that transforming it once more brings it back
      im[i] = a.re[i]! * b.im[i]! - a.im[i]! * b.re[i]!;
    }
    transform(re, im, waves);
    // where y lies k steps later, and where it has gone round
    return Float64Array.from(x, (_, k) => (re[k]! + (k === 0 ? 0 : re[size - n + k]!)) / size);
  };
}

type Waves = { readonly cos: Float64Array; readonly sin: Float64Array };

const wavesOf = (size: number): Waves => ({
  cos: Float64Array.from({ length: size / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / size)),
  sin: Float64Array.from({ length: size / 2 }, (_, k) => Math.sin((2 * Math.PI * k) / size)),
});

function transformed(x: Float64Array, waves: Waves) {
  const size = 2 * waves.cos.length;
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  re.set(x);
  transform(re, im, waves);
  return { re, im };
}

/** In place, of a power of two many numbers (Cooley and Tukey 1965). */
function transform(re: Float64Array, im: Float64Array, { cos, sin }: Waves): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j]!, re[i]!];
      [im[i], im[j]] = [im[j]!, im[i]!];
    }
  }
  for (let length = 2, stride = n >> 1; length <= n; length *= 2, stride >>= 1)
    for (let from = 0; from < n; from += length)
      for (let k = 0, half = length / 2; k < half; k++) {
        const [c, s] = [cos[k * stride]!, -sin[k * stride]!];
        const [p, q] = [from + k, from + k + half];
        const real = re[q]! * c - im[q]! * s;
        const imaginary = re[q]! * s + im[q]! * c;
        re[q] = re[p]! - real;
        im[q] = im[p]! - imaginary;
        re[p]! += real;
        im[p]! += imaginary;
      }
}
