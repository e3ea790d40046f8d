"""erfc by a polynomial (Abramowitz and Stegun, 7.1.26), as the reference has it: its error is 1.5e-7, and with the exact
function energies would differ from the reference's in the seventh digit."""

from everlet.portable import exp, portable, sqrt


@portable
def erfc_polynomial(x, gauss):
    """erfc(x) for x >= 0; gauss: exp(-x^2), which the caller has."""
    t = 1.0 / (1.0 + 0.3275911 * x)
    return t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * gauss


@portable
def screened(r2, alpha):
    """Of the square of a distance: r, 1/r, alpha r, exp(-alpha^2 r^2) and erfc(alpha r)."""
    r = sqrt(r2)
    x = alpha * r
    gauss = exp(-x * x)
    return r, 1.0 / r, x, gauss, erfc_polynomial(x, gauss)
