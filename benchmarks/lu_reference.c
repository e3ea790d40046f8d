/* LU of the NAS benchmarks as a C programmer would write it: the yardstick of lu_reference.py.

   lu_reference CLASS ITERATIONS blocks|fused

   blocks  as the public codes do: the 5x5 blocks of a plane are stored, then multiplied, and diagonal blocks are eliminated
   fused   products with blocks are formed on the fly, and the diagonal block is solved as the triangle that it is

   Values of a point lie side by side, u[k][j][i][5]. Prints seconds and the first residual norm. Equations: docs/lab.md names
   the source; see everlet/lab/lu/physics.py. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define C1 1.4
#define C2 0.4
#define C34 0.1
#define C15 1.96
#define OMEGA 1.2
#define AT(x, i, j, k) ((x) + 5 * (((size_t)(k) * n + (j)) * n + (i)))

static int n;
static double dt, h, *u, *r, *f, *rho_i, *qs, *blocks[4];
static const double D[3] = {0.75, 0.75, 1.0};
static const double CE[5][13] = {
    {2, 0, 0, 4, 5, 3, .5, .02, .01, .03, .5, .4, .3}, {1, 0, 0, 0, 1, 2, 3, .01, .03, .02, .4, .3, .5},
    {2, 2, 0, 0, 0, 2, 3, .04, .03, .05, .3, .5, .4},  {2, 2, 0, 0, 0, 2, 3, .03, .05, .04, .2, .1, .3},
    {5, 4, 3, 2, .1, .4, .3, .05, .04, .03, .1, .3, .2}};

static void exact(double x, double y, double z, double *out) {
  for (int m = 0; m < 5; m++) {
    const double *c = CE[m];
    out[m] = c[0] + x * (c[1] + x * (c[4] + x * (c[7] + x * c[10]))) + y * (c[2] + y * (c[5] + y * (c[8] + y * c[11]))) +
             z * (c[3] + z * (c[6] + z * (c[9] + z * c[12])));
  }
}

static void fill(int start) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        double x = i / (n - 1.0), y = j / (n - 1.0), z = k / (n - 1.0), *p = AT(u, i, j, k), a[6][5];
        exact(x, y, z, p);
        if (!start || !i || !j || !k || i == n - 1 || j == n - 1 || k == n - 1) continue;
        exact(0, y, z, a[0]), exact(1, y, z, a[1]), exact(x, 0, z, a[2]), exact(x, 1, z, a[3]), exact(x, y, 0, a[4]), exact(x, y, 1, a[5]);
        for (int m = 0; m < 5; m++) {
          double px = (1 - x) * a[0][m] + x * a[1][m], py = (1 - y) * a[2][m] + y * a[3][m], pz = (1 - z) * a[4][m] + z * a[5][m];
          p[m] = px + py + pz - px * py - py * pz - pz * px + px * py * pz;
        }
      }
}

/* One axis of L(u), line by line: fluxes, viscous fluxes, dissipation. */
static inline __attribute__((always_inline)) void along(const int axis, int a, int b) {
  double flux[512][5], vis[512][5];
  const size_t over = axis == 0 ? 1 : axis == 1 ? (size_t)n : (size_t)n * n;
  const size_t first = axis == 0 ? ((size_t)b * n + a) * n : axis == 1 ? (size_t)b * n * n + a : (size_t)b * n + a;
  for (int l = 0; l < n; l++) {
    const double *p = u + 5 * (first + l * over), w = rho_i[first + l * over], q = qs[first + l * over], v = p[1 + axis] * w;
    flux[l][0] = p[1 + axis];
    for (int m = 1; m < 4; m++) flux[l][m] = p[m] * v;
    flux[l][1 + axis] += C2 * (p[4] - q);
    flux[l][4] = (C1 * p[4] - C2 * q) * v;
  }
  for (int l = 1; l < n; l++) {
    const double *p = u + 5 * (first + l * over), *o = p - 5 * over, w = rho_i[first + l * over], wo = rho_i[first + (l - 1) * over];
    double sum = 0, own = 0;
    for (int m = 1; m < 4; m++) {
      double v = p[m] * w, vo = o[m] * wo;
      vis[l][m] = (m == 1 + axis ? 4.0 / 3.0 : 1.0) * (v - vo) / h;
      sum += v * v - vo * vo;
      if (m == 1 + axis) own = v * v - vo * vo;
    }
    vis[l][4] = (0.5 * (1 - C15) * sum + own / 6 + C15 * (p[4] * w - o[4] * wo)) / h;
  }
  for (int l = 1; l < n - 1; l++) {
    const double *p = u + 5 * (first + l * over);
    const ptrdiff_t s = 5 * over;
    double *out = r + 5 * (first + l * over);
    for (int m = 0; m < 5; m++) {
      double value = -(flux[l + 1][m] - flux[l - 1][m]) / (2 * h) + D[axis] / (h * h) * (p[m - s] - 2 * p[m] + p[m + s]);
      if (m) value += C34 / h * (vis[l + 1][m] - vis[l][m]);
      double fourth = l == 1 ? 5 * p[m] - 4 * p[m + s] + p[m + 2 * s]
                    : l == 2 ? -4 * p[m - s] + 6 * p[m] - 4 * p[m + s] + p[m + 2 * s]
                    : l == n - 3 ? p[m - 2 * s] - 4 * p[m - s] + 6 * p[m] - 4 * p[m + s]
                    : l == n - 2 ? p[m - 2 * s] - 4 * p[m - s] + 5 * p[m]
                    : p[m - 2 * s] - 4 * p[m - s] + 6 * p[m] - 4 * p[m + s] + p[m + 2 * s];
      out[m] += value - 0.25 * fourth;
    }
  }
}

static void residual(void) {
  for (size_t p = 0; p < (size_t)n * n * n; p++) {
    const double *v = u + 5 * p;
    rho_i[p] = 1 / v[0];
    qs[p] = 0.5 * (v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) * rho_i[p];
    for (int m = 0; m < 5; m++) r[5 * p + m] = -f[5 * p + m];
  }
  for (int b = 1; b < n - 1; b++)
    for (int a = 1; a < n - 1; a++) along(0, a, b);
  for (int b = 1; b < n - 1; b++)
    for (int a = 1; a < n - 1; a++) along(1, a, b);
  for (int b = 1; b < n - 1; b++)
    for (int a = 1; a < n - 1; a++) along(2, a, b);
}

/* The block to a neighbour along an axis: s A + n (N + d). */
static inline void jacobian(double x[5][5], const int axis, double s, double nn, size_t p) {
  const double *v = u + 5 * p, w = rho_i[p], q = qs[p] * w, y = v[1 + axis] * w, e = v[4] * w;
  memset(x, 0, 25 * sizeof(double));
  x[0][1 + axis] = s;
  for (int m = 1; m < 4; m++) {
    double vm = v[m] * w, g = C34 * (m == 1 + axis ? 4.0 / 3.0 : 1.0);
    x[m][0] = -s * vm * y - nn * g * vm * w;
    x[m][m] += s * y + nn * g * w;
    x[m][1 + axis] += s * vm;
    x[1 + axis][m] -= s * C2 * vm;
    x[4][m] = -s * C2 * vm * y + nn * (g - C34 * C15) * vm * w;
    x[4][0] -= nn * (g - C34 * C15) * vm * vm * w;
  }
  x[1 + axis][0] += s * C2 * q;
  x[1 + axis][4] = s * C2;
  x[4][1 + axis] += s * (C1 * e - C2 * q);
  x[4][0] += s * (2 * C2 * q - C1 * e) * y - nn * C34 * C15 * e * w;
  x[4][4] = s * C1 * y + nn * C34 * C15 * w;
  for (int m = 0; m < 5; m++) x[m][m] += nn * D[axis];
}

static inline void diagonal(double x[5][5], size_t p) {
  const double *v = u + 5 * p, w = rho_i[p], e = v[4] * w, nn = 2 * dt / (h * h);
  memset(x, 0, 25 * sizeof(double));
  for (int m = 0; m < 5; m++) x[m][m] = 1 + nn * (D[0] + D[1] + D[2]);
  for (int m = 1; m < 4; m++) {
    double vm = v[m] * w, g = C34 * 10.0 / 3.0;
    x[m][0] = -nn * g * vm * w;
    x[m][m] += nn * g * w;
    x[4][m] = nn * (g - 3 * C34 * C15) * vm * w;
    x[4][0] -= nn * (g - 3 * C34 * C15) * vm * vm * w;
  }
  x[4][0] -= nn * 3 * C34 * C15 * e * w;
  x[4][4] += nn * 3 * C34 * C15 * w;
}

static inline void eliminate(double x[5][5], double *b) {
  for (int p = 0; p < 5; p++)
    for (int m = p + 1; m < 5; m++) {
      double t = x[m][p] / x[p][p];
      for (int q = p + 1; q < 5; q++) x[m][q] -= t * x[p][q];
      b[m] -= t * b[p];
    }
  for (int m = 4; m >= 0; m--) {
    for (int q = m + 1; q < 5; q++) b[m] -= x[m][q] * b[q];
    b[m] /= x[m][m];
  }
}

static void sweep_blocks(int way) {
  const double s = way * OMEGA * dt / (2 * h), nn = OMEGA * dt / (h * h);
  const ptrdiff_t over[3] = {1, n, (ptrdiff_t)n * n};
  for (int kk = 1; kk < n - 1; kk++) {
    const int k = way > 0 ? kk : n - 1 - kk;
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < n - 1; i++) {
        const size_t p = ((size_t)k * n + j) * n + i, at = 25 * ((size_t)j * n + i);
        for (int axis = 0; axis < 3; axis++)
          jacobian((double(*)[5])(blocks[axis] + at), axis, s, nn, p - way * over[axis]);
        diagonal((double(*)[5])(blocks[3] + at), p);
      }
    for (int jj = 1; jj < n - 1; jj++)
      for (int ii = 1; ii < n - 1; ii++) {
        const int j = way > 0 ? jj : n - 1 - jj, i = way > 0 ? ii : n - 1 - ii;
        const size_t p = ((size_t)k * n + j) * n + i, at = 25 * ((size_t)j * n + i);
        double b[5], *own = r + 5 * p, x[5][5];
        for (int m = 0; m < 5; m++) b[m] = way > 0 ? own[m] : 0;
        for (int axis = 2; axis >= 0; axis--) {
          const double *other = own - 5 * way * over[axis], *c = blocks[axis] + at;
          for (int m = 0; m < 5; m++)
            for (int q = 0; q < 5; q++) b[m] += c[5 * m + q] * other[q];
        }
        memcpy(x, blocks[3] + at, sizeof x);
        eliminate(x, b);
        for (int m = 0; m < 5; m++) own[m] = way > 0 ? b[m] : own[m] + b[m];
      }
  }
}

static inline __attribute__((always_inline)) void carry(const int axis, double s, double nn, size_t p, double *b) {
  const double *v = u + 5 * p, *x = r + 5 * p, w = rho_i[p], va = v[1 + axis] * w, e = v[4] * w, q = qs[p] * w;
  const double za = x[1 + axis] - va * x[0], nw = nn * C34 * w, m0 = nn * D[axis];
  double y = q * x[0] + x[4], work = 0;
  for (int m = 1; m < 4; m++) y -= v[m] * w * x[m];
  y *= C2;
  b[0] += s * x[1 + axis] + m0 * x[0];
  for (int m = 1; m < 4; m++) {
    double vm = v[m] * w, z = x[m] - vm * x[0], g = m == 1 + axis ? 4.0 / 3.0 : 1.0;
    b[m] += s * (va * x[m] + vm * za) + g * nw * z + m0 * x[m];
    work += (g - C15) * vm * z;
  }
  b[1 + axis] += s * y;
  b[4] += s * ((C1 * e - C2 * q) * za + va * (y + x[4])) + nw * (work + C15 * (x[4] - e * x[0])) + m0 * x[4];
}

static void sweep_fused(int way) {
  const double s = way * OMEGA * dt / (2 * h), nn = OMEGA * dt / (h * h), d = 2 * dt / (h * h), a = 1 + d * (D[0] + D[1] + D[2]);
  for (int kk = 1; kk < n - 1; kk++)
    for (int jj = 1; jj < n - 1; jj++)
      for (int ii = 1; ii < n - 1; ii++) {
        const int k = way > 0 ? kk : n - 1 - kk, j = way > 0 ? jj : n - 1 - jj, i = way > 0 ? ii : n - 1 - ii;
        const size_t p = ((size_t)k * n + j) * n + i;
        double b[5], *own = r + 5 * p;
        for (int m = 0; m < 5; m++) b[m] = way > 0 ? own[m] : 0;
        carry(2, s, nn, p - way * (ptrdiff_t)n * n, b);
        carry(1, s, nn, p - way * (ptrdiff_t)n, b);
        carry(0, s, nn, p - way, b);
        const double *v = u + 5 * p, w = rho_i[p], nw = d * C34 * w, g = 10.0 / 3.0 * nw, kap = 3 * C15 * nw;
        double inverse = 1 / (a + g), work = 0;
        b[0] /= a;
        for (int m = 1; m < 4; m++) {
          double vm = v[m] * w;
          b[m] = (b[m] + g * vm * b[0]) * inverse;
          work += vm * (b[m] - vm * b[0]);
        }
        b[4] = (b[4] + kap * v[4] * w * b[0] - (g - kap) * work) / (a + kap);
        for (int m = 0; m < 5; m++) own[m] = way > 0 ? b[m] : own[m] + b[m];
      }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* of this process: others may use the machine */
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void iterate(int fused) {
  const size_t all = 5 * (size_t)n * n * n;
  for (size_t p = 0; p < all; p++) r[p] *= dt;
  for (int way = 1; way >= -1; way -= 2) (fused ? sweep_fused : sweep_blocks)(way);
  for (int k = 1; k < n - 1; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < n - 1; i++)
        for (int m = 0; m < 5; m++) AT(u, i, j, k)[m] += AT(r, i, j, k)[m] / (OMEGA * (2 - OMEGA));
  residual();
  /* the boundary has none */
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        if (!i || !j || !k || i == n - 1 || j == n - 1 || k == n - 1) memset(AT(r, i, j, k), 0, 5 * sizeof(double));
}

int main(int count, char **words) {
  const char *names = "SWABC";
  const int sizes[] = {12, 33, 64, 102, 162};
  const double steps[] = {0.5, 1.5e-3, 2, 2, 2};
  if (count != 4 || !strchr(names, words[1][0])) return fprintf(stderr, "lu_reference S|W|A|B|C ITERATIONS blocks|fused\n"), 1;
  const int which = strchr(names, words[1][0]) - names, iterations = atoi(words[2]), fused = words[3][0] == 'f';
  n = sizes[which], dt = steps[which], h = 1.0 / (n - 1);
  const size_t all = (size_t)n * n * n;
  u = calloc(5 * all, 8), r = calloc(5 * all, 8), f = calloc(5 * all, 8), rho_i = calloc(all, 8), qs = calloc(all, 8);
  for (int b = 0; b < 4; b++) blocks[b] = calloc(25 * (size_t)n * n, 8);
  fill(0), residual();
  for (int k = 1; k < n - 1; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < n - 1; i++) memcpy(AT(f, i, j, k), AT(r, i, j, k), 5 * sizeof(double));
  for (int round = 0; round < 2; round++) { /* the first is not timed */
    fill(1), residual();
    double begin = now();
    for (int step = 0; step < (round ? iterations : 1); step++) iterate(fused);
    if (!round) continue;
    double seconds = now() - begin, sum = 0;
    for (int k = 1; k < n - 1; k++)
      for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++) sum += AT(r, i, j, k)[0] * AT(r, i, j, k)[0];
    printf("%.9g %.16g\n", seconds, sqrt(sum / pow(n - 2, 3)));
  }
  return 0;
}
