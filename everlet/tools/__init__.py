"""Tools of the command line. Job scripts, potential files from formulas, checks of a user's styles.
"""
