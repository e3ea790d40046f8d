"""Plain Python that looks at every index: what `everlet check` runs first, so that wrong ones are named and do no harm."""

from everlet.portable.devices import Device
from everlet.portable.traits import Traits

TARGET = "bounds"
TRAITS = Traits(interpreted=True)
DEVICES = [Device("reference:bounds", TARGET, "everlet.portable.spaces:checked_reference")]
