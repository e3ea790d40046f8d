"""erfc by a polynomial (Abramowitz and Stegun, 7.1.26), as the reference has it: its error is 1.5e-7, and with the exact
function energies would differ from the reference's in the seventh digit."""

from everlet.portable import portable


@portable
def erfc_polynomial(x, gauss):
    """erfc(x) for x >= 0; gauss: exp(-x^2), which the caller has."""
    t = 1.0 / (1.0 + 0.3275911 * x)
    return t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * gauss
