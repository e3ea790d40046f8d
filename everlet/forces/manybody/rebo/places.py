"""Where numbers of hydrocarbons are in the arrays that kernels read."""

# of pairs of types
PAIR_NAMES = ("rmin", "rmax", "rmaxp", "Q", "alpha", "A", "B1", "B2", "B3", "beta1", "beta2", "beta3", "rho", "lj_min",
              "lj_max", "b_min", "b_max", "epsilon", "sigma", "morse", "decay", "fade_min", "fade_max", "reach")
(RMIN, RMAX, RMAXP, Q, ALPHA, A, B1, B2, B3, BETA1, BETA2, BETA3, RHO, LJ_MIN, LJ_MAX, B_MIN, B_MAX, EPSILON, SIGMA, MORSE,
 DECAY, FADE_MIN, FADE_MAX, REACH) = range(24)
NP = 24

# general numbers
GENERAL_NAMES = ("n_min", "n_max", "crowd_min", "crowd_max", "twist_cc", "twist_ch", "twist_hh", "near")
N_MIN, N_MAX, CROWD_MIN, CROWD_MAX, TWIST, _, _, NEAR = range(8)

# tables: knots of splines (files.py), then polynomials of cosines
LOW, HIGH = 4, 9  # splines go from 0 to 4 of neighbours, and to 9 of conjugation
FLAT, SOLID = 3 * (LOW + 1) ** 2, 4 * (LOW + 1) ** 2 * (HIGH + 1)  # numbers of a spline of two and of three variables
P_AT, F_AT, T_AT = 0, 2 * FLAT, 2 * FLAT + 3 * SOLID
GC_AT = T_AT + SOLID
PIECES_C, PIECES_H, ORDER = 4, 3, 6
GH_AT = GC_AT + PIECES_C + 1 + 2 * PIECES_C * ORDER
TABLE_SIZE = GH_AT + PIECES_H + 1 + PIECES_H * ORDER
