"""Plain Python: slow and right, what the others are compared with."""

from everlet.portable.devices import Device
from everlet.portable.traits import Traits

TARGET = "plain"
TRAITS = Traits(interpreted=True)
DEVICES = [Device("reference", TARGET, "everlet.portable.spaces:reference")]
