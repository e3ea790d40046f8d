"""Where numbers of a force field are in the arrays that kernels read."""

# general numbers
GENERAL_NAMES = ("boc1", "boc2", "cut", "lp1", "ovun3", "ovun4", "ovun6", "ovun7", "ovun8", "val6", "val8", "val9", "val10",
                 "pen2", "pen3", "pen4", "coa2", "coa3", "coa4", "tor2", "tor3", "tor4", "cot2", "trip1", "trip2", "trip3",
                 "trip4", "kc2", "low", "high", "vdw1", "threshold", "product", "hbond", "hb_order", "no_bonds",
                 "soft")
(BOC1, BOC2, CUT, LP1, OVUN3, OVUN4, OVUN6, OVUN7, OVUN8, VAL6, VAL8, VAL9, VAL10, PEN2, PEN3, PEN4, COA2, COA3, COA4, TOR2,
 TOR3, TOR4, COT2, TRIP1, TRIP2, TRIP3, TRIP4, KC2, LOW, HIGH, VDW1, THRESHOLD, PRODUCT, HBOND, HB_ORDER, NO_BONDS,
 SOFT) = range(37)

# numbers of atom types
ELEMENT_NAMES = ("valence", "valence_e", "valence_angle", "valence_boc", "light", "lp2", "ovun2", "ovun5", "free", "chi", "eta",
                 "hbond", "there")
(VALENCE, VALENCE_E, VALENCE_ANGLE, VALENCE_BOC, LIGHT, LP2, OVUN2, OVUN5, FREE, CHI, ETA, HB, THERE) = range(13)
NE = 13
